import StickerValues

/// The order in which the sightings of one batch are recorded, so that ids follow their files through chained renames:
/// in `mv a t; mv b a; mv t b`, the name that is free now is recorded before the name that its file came from;
/// otherwise the latter would look like a new picture under an old name.
struct RenameOrder {
    private let sightings: [Sighting]
    /// The position in the batch at which a file with this inode was seen.
    private var places: [UInt64: Int] = [:]

    init(_ sightings: [Sighting]) {
        self.sightings = sightings
        for (place, sighting) in sightings.enumerated() {
            places[sighting.version.inode] = place
        }
    }

    /// The sightings, each after that of the file that had its name before. `known` returns the inode of the published
    /// file of a name, if one of the batch may have it.
    ///
    /// In a cycle no name is free: ids stay with their names.
    func sorted(
        known: (SourceKey) throws -> UInt64?
    ) rethrows -> [Sighting] {
        // Files seen twice stay in the order in which they were seen.
        guard Set(sightings.map(\.key)).count == sightings.count else { return sightings }
        var sorted: [Sighting] = []
        var isTaken = Array(repeating: false, count: sightings.count)
        for place in sightings.indices {
            var chain: [Sighting] = []
            var next: Int? = place
            while let place = next, !isTaken[place] {
                isTaken[place] = true
                chain.append(sightings[place])
                next = try known(sightings[place].key).flatMap { inode in
                    inode == sightings[place].version.inode ? nil : places[inode]
                }
            }
            sorted += chain.reversed()
        }
        return sorted
    }
}
