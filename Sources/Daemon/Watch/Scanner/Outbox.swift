import StickerValues

/// Collects the findings of one step of the scanner, in order.
struct Outbox {
    /// The most entries of one `.sighted` or `.gone`.
    static let entriesMax = 1000

    private var events: [FolderEvent] = []
    private var sightings: [Sighting] = []
    private var gone: [SourceKey] = []

    /// Adds a file that exists.
    mutating func add(_ sighting: Sighting) {
        sightings.append(sighting)
        if sightings.count == Self.entriesMax { close() }
    }

    /// Adds a file that no longer exists.
    mutating func add(gone key: SourceKey) {
        gone.append(key)
        if gone.count == Self.entriesMax { close() }
    }

    /// Adds any other event, after the files so far.
    mutating func add(_ event: FolderEvent) {
        close()
        events.append(event)
    }

    /// Removes and returns everything.
    mutating func drain() -> [FolderEvent] {
        close()
        return exchange(&events, with: [])
    }

    /// Names that left come before names that arrived, so that a rename can be recognised.
    private mutating func close() {
        if !gone.isEmpty { events.append(.gone(exchange(&gone, with: []))) }
        if !sightings.isEmpty { events.append(.sighted(exchange(&sightings, with: []))) }
    }
}
