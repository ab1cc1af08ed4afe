/// Folder names as names of packs.
package enum FolderNames {
    /// Folder names that `export` uses, which do not describe packs: `folder`, `android` and so on.
    private static let forms = Set(Platforms.all.flatMap(\.forms))

    /// The innermost name that is not the name of a form.
    ///
    /// - Parameter path: names of nested folders, outermost first.
    /// - Returns: one of them, the last if all are names of forms; an empty text if there are none.
    package static func telling(_ path: [String]) -> String {
        path.last { !forms.contains($0.lowercased()) } ?? path.last ?? ""
    }
}
