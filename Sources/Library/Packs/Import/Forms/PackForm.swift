/// A form in which packs are handed over.
protocol PackForm: Sendable {
    /// Finds the packs of this form.
    ///
    /// - Parameters:
    ///   - files: what was handed over; takes what is wrong with descriptions.
    ///   - isTaken: whether a folder belongs to a pack of a form that was looked for before.
    /// - Returns: the packs, one more than are taken at the most so that this can be told, and the folders that belong to
    ///   them.
    func packs(in files: inout PackFiles, besides isTaken: (String) -> Bool) -> FoundPacks
}

/// Packs of one form.
struct FoundPacks {
    /// The packs, in order.
    var packs: [ImportedPack] = []
    /// Folders that belong to them.
    var folders: Set<String> = []
}
