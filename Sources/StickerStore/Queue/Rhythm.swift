import StickerModel

/// Tells what a person drops from a copy that is going on, by folder and rhythm.
///
/// A folder has room for 20 fresh files, and gets more of it by pauses alone: a copy makes none, however
/// slow it is. Files that are fresh in their folder also take room of the category and of the drop, so a
/// tree of many small folders is one copy, while a copy into one folder leaves the others alone.
struct Rhythm {
    /// Fresh files that a folder has room for, and a category or a drop.
    static let folderRoom = 20
    static let treeRoom = 60

    /// One folder, or everything below one.
    private struct Place: Hashable {
        var drop: String
        /// `nil` for the whole drop.
        var directory: [UInt8]?
        var isTree: Bool
    }

    private var beats: [Place: Beat] = [:]
    /// Places that are remembered; beyond it the quiet ones are forgotten.
    private static let placesMax = 4096

    /// Notes that a file appeared at `now`, in milliseconds; whether it was dropped by hand.
    mutating func isFresh(_ key: SourceKey, at now: Int64) -> Bool {
        forgetQuiet(now)
        return places(of: key).allSatisfy { place in
            let room = place.isTree ? Self.treeRoom : Self.folderRoom
            return beats[place, default: Beat(room: room, at: now)].take(at: now)
        }
    }

    private func places(of key: SourceKey) -> [Place] {
        let folder = Place(drop: key.drop, directory: key.directory, isTree: false)
        let drop = Place(drop: key.drop, directory: nil, isTree: true)
        guard let category = key.categoryFolder else { return [folder, drop] }
        return [folder, Place(drop: key.drop, directory: category, isTree: true), drop]
    }

    private mutating func forgetQuiet(_ now: Int64) {
        guard beats.count >= Self.placesMax else { return }
        beats = beats.filter { $0.key.isTree || !$0.value.isForgotten(at: now) }
        // All of them are busy: a flood, in which the places above decide.
        if beats.count >= Self.placesMax { beats = beats.filter(\.key.isTree) }
        if beats.count >= Self.placesMax { beats = [:] }
    }
}

/// The files that appear in one place.
private struct Beat {
    let roomMax: Int
    var room: Int
    var last: Int64
    /// The usual time between two files, in milliseconds.
    var usualGap = 0.0

    /// A shorter time is no pause.
    static let pause: Int64 = 2000
    /// How much longer than usual a pause is.
    static let pauseFactor = 4.0
    /// After such a pause all is as in the beginning.
    static let fullPause: Int64 = 10_000
    /// After such a time all is as in the beginning, however slow a copy is.
    static let oblivion: Int64 = 60_000

    init(room: Int, at now: Int64) {
        (roomMax, self.room, last) = (room, room, now)
    }

    /// Notes a file; whether there was room for it.
    mutating func take(at now: Int64) -> Bool {
        let gap = max(0, now - last)
        refill(gap)
        usualGap += (Double(gap) - usualGap) / 16
        last = now
        guard room > 0 else { return false }
        room -= 1
        return true
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
