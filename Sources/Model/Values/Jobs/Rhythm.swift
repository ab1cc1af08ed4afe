/// Distinguishes files that a person drops by hand from a bulk copy in progress, by folder and rhythm.
///
/// A folder has room for 20 fresh files and regains room only during pauses: a copy makes no pauses, however slow it
/// is. Files that are fresh in their folder also take up room in the category and in the drop, so a tree of many small
/// folders counts as one copy, while a copy into one folder does not affect others. The first files of a category take
/// up room that the drop reserves for such files, which a copy into many folders of other categories does not use up.
/// Each user has separate room in a drop.
public struct Rhythm: Sendable {
    /// The room for fresh files in a folder, and in a category or drop.
    static let folderRoom = 20
    static let treeRoom = 30
    /// How many fresh files count as the first ones of a category.
    static let firstFiles = 1

    /// One folder, or everything below one.
    private struct Place: Hashable {
        enum Kind { case folder, category, drop, firstFilesOfDrop }

        var drop: String
        var directory: [UInt8] = []
        var kind: Kind
        var owner: UInt32?

        var isTree: Bool { kind != .folder }
    }

    private var beats: [Place: Beat] = [:]

    /// The most places remembered; beyond that, quiet ones are forgotten.
    private static let placesMax = 4096

    /// Creates an empty rhythm.
    public init() {}

    /// Notes that a file of `owner` appeared at `now`, in milliseconds, and returns whether it was dropped by hand.
    public mutating func isFresh(
        _ key: SourceKey, of owner: UInt32? = nil, at now: Int64
    ) -> Bool {
        forgetQuiet(now)
        let folder = Place(drop: key.drop, directory: key.directory, kind: .folder)
        guard take(folder, at: now) != nil else { return false }
        guard let directory = key.categoryFolder else {
            return take(Place(drop: key.drop, kind: .drop, owner: owner), at: now) != nil
        }
        let category = Place(drop: key.drop, directory: directory, kind: .category)
        guard let left = take(category, at: now) else { return false }
        let isFirst = left >= Self.treeRoom - Self.firstFiles
        let kind = isFirst ? Place.Kind.firstFilesOfDrop : .drop
        let drop = Place(drop: key.drop, kind: kind, owner: owner)
        return take(drop, at: now) != nil
    }

    /// Takes up room in a place and returns the rest, or `nil` if there was none.
    private mutating func take(_ place: Place, at now: Int64) -> Int? {
        let room = place.isTree ? Self.treeRoom : Self.folderRoom
        return beats[place, default: Beat(room: room, at: now)].take(at: now)
    }

    private mutating func forgetQuiet(_ now: Int64) {
        guard beats.count >= Self.placesMax else { return }
        beats = beats.filter { $0.key.isTree || !$0.value.isForgotten(at: now) }
        // All of them are busy: in such a flood, categories and drops decide.
        if beats.count >= Self.placesMax { beats = beats.filter(\.key.isTree) }
        if beats.count >= Self.placesMax { beats = [:] }
    }
}

/// The rhythm of files in one place.
private struct Beat {
    let roomMax: Int
    var room: Int
    var last: Int64
    /// The usual time between two files, in milliseconds.
    var usualGap = 0.0

    /// Anything shorter is not a pause.
    static let pause: Int64 = 2000
    /// The ratio of a pause to the usual gap.
    static let pauseFactor = 4.0
    /// After a pause of this length everything starts over.
    static let fullPause: Int64 = 10_000
    /// After this time everything starts over, however slow a copy is.
    static let oblivion: Int64 = 60_000

    init(room: Int, at now: Int64) {
        (roomMax, self.room, last) = (room, room, now)
    }

    /// Notes a file and returns the room left after it, or `nil` if there was none for it.
    mutating func take(at now: Int64) -> Int? {
        let gap = max(0, now - last)
        refill(gap)
        usualGap += (Double(gap) - usualGap) / 16
        last = now
        guard room > 0 else { return nil }
        room -= 1
        return room
    }

    private mutating func refill(_ gap: Int64) {
        if gap >= Self.oblivion {
            (room, usualGap) = (roomMax, 0)
        } else if gap >= Self.pause, Double(gap) >= Self.pauseFactor * usualGap {
            room = gap >= Self.fullPause ? roomMax : min(roomMax, room + Int(gap / Self.pause))
        }
    }

    func isForgotten(at now: Int64) -> Bool { now - last >= Self.oblivion }
}
