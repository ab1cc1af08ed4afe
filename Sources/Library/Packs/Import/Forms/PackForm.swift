/// A form of packs.
protocol PackForm: Sendable {
    /// Finds the packs of this form.
    ///
    /// - Parameters:
    ///   - files: the imported files; collects faults of descriptions.
    ///   - isTaken: whether a folder belongs to a pack of an earlier form.
    /// - Returns: the packs, up to one more than the limit so that an excess is noticed, and the folders that belong to
    ///   them.
    func packs(in files: inout PackFiles, besides isTaken: (String) -> Bool) -> FoundPacks
}

struct FoundPacks {
    /// The packs, in order.
    var packs: [ImportedPack] = []
    /// Folders that belong to them.
    var folders: Set<String> = []
}
