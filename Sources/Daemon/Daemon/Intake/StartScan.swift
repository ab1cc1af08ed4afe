import Logging
import StickerStore
import StickerValues

/// The findings of the start scan.
struct StartScan: Sendable {
    /// Files found under names of other files, by drop that is still being scanned. Those others may have moved to
    /// folders not yet listed, and would then take their ids along.
    private var postponed: [String: [Sighting]]
    private var new = 0
    private var unchanged = 0
    private var gone = 0
    private var refused = 0
    private var isTold = false

    init(of drops: [String]) {
        postponed = Dictionary(uniqueKeysWithValues: drops.map { ($0, []) })
    }

    /// Postpones sightings that must wait for the end of a drop's scan.
    ///
    /// - Returns: those that can be recorded now.
    mutating func postponing(
        _ sightings: [Sighting], of drop: String, in sources: SourceRecords
    ) throws -> [Sighting] {
        guard postponed[drop] != nil else { return sightings }
        let replacements = try sources.replacements(among: sightings)
        guard !replacements.isEmpty else { return sightings }
        postponed[drop]?.append(contentsOf: replacements)
        let keys = Set(replacements.map(\.key))
        return sightings.filter { !keys.contains($0.key) }
    }

    /// The postponed sightings of all drops, as files may have moved from one to another.
    var allPostponed: [Sighting] { postponed.values.flatMap(\.self) }

    /// The postponed sightings are recorded, and nothing of `drop` is postponed any more.
    mutating func end(of drop: String) {
        postponed = postponed.mapValues { _ in [] }
        postponed[drop] = nil
    }

    /// Counts recorded files.
    mutating func add(_ summary: IntakeSummary) {
        new += summary.accepted + summary.renewed
        unchanged += summary.known
        gone += summary.vanished
        refused += summary.refused.count
    }

    /// The counts for the log; `nil` once they were asked for.
    mutating func figures() -> Logger.Metadata? {
        guard !isTold else { return nil }
        isTold = true
        return [
            "new": "\(new)", "unchanged": "\(unchanged)", "gone": "\(gone)",
            "refused": "\(refused)",
        ]
    }
}
