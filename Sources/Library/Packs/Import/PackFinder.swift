import StickerValues

/// Finds the packs in foreign files.
public enum PackFinder {
    /// The most informative forms come first.
    private static let forms: [any PackForm] = [
        WhatsAppAppForm(), MatrixForm(), MauniumForm(), XcodeForm(), FaceBundleForm(),
        UploadListForm(), TextFolderForm(),
    ]

    /// Finds packs of every form.
    ///
    /// - Parameters:
    ///   - tree: the imported files.
    ///   - limits: the limits of an import.
    /// - Returns: the packs in the order of their forms and paths, each once, and the faults of descriptions.
    /// - Throws: `ImportFault` if there is no pack: the first fault of a description, else `no-pack`.
    public static func packs(
        in tree: some PackTree, limits: ImportLimits = ImportLimits()
    ) throws(ImportFault) -> (packs: [ImportedPack], faults: [ImportFault]) {
        var files = PackFiles(tree, limits)
        let packs = all(in: &files)
        guard !packs.isEmpty else { throw files.faults.first ?? ImportFault.noPack(in: &files) }
        let kept = once(packs, &files)
        return (kept, files.faults)
    }

    /// Finds packs of every form, including those that exist in several.
    ///
    /// - Parameter files: the imported files; collects faults of descriptions.
    /// - Returns: the packs in the order of their forms and paths.
    static func all(in files: inout PackFiles) -> [ImportedPack] {
        var taken: Set<String> = []
        var packs: [ImportedPack] = []
        for form in forms {
            let found = form.packs(in: &files) { taken.contains($0) }
            packs += found.packs
            taken.formUnion(found.folders)
        }
        guard !packs.isEmpty else { return plainFolder(&files) }
        let most = files.limits.packsMax
        guard packs.count > most else { return packs }
        files.note(
            ImportFault(
                .tooMany, nil, "it has too many packs; only the first are taken",
                measured: "more than \(most.grouped)", limit: most.grouped,
                remedy: "name the folders of the others by themselves"))
        return Array(packs.prefix(most))
    }

    /// Pictures without any text beside them, if there is nothing else.
    private static func plainFolder(_ files: inout PackFiles) -> [ImportedPack] {
        let folders = files.folders.filter { !files.pictures(in: $0).isEmpty }
        guard let folder = folders.first, folders.count == 1 else { return [] }
        return [TextFolderForm.pack(folder, &files)]
    }

    /// Leaves out packs that also exist in another form.
    private static func once(
        _ packs: [ImportedPack], _ files: inout PackFiles
    ) -> [ImportedPack] {
        var taken = TakenPacks()
        for pack in packs {
            if let form = taken.otherForm(of: pack) {
                files.note(
                    ImportFault(
                        .samePack, TreePath.folder(of: pack.stickers.first?.path ?? ""),
                        "the pack \(pack.name) is taken in another form",
                        measured: pack.form, limit: form, remedy: "name this folder to import it"))
            } else {
                taken.add(pack)
            }
        }
        return taken.packs
    }
}
