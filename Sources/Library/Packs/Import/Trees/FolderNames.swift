/// Names of folders as those of packs.
package enum FolderNames {
    /// What `export` calls folders, which says nothing of the packs in them: `folder`, `android` and so on.
    private static let forms = Set(Platforms.all.flatMap(\.forms))

    /// The innermost name that is not merely that of a form.
    ///
    /// - Parameter path: names of folders, each in the one before.
    /// - Returns: one of them, the last if all are names of forms; an empty text if there are none.
    package static func telling(_ path: [String]) -> String {
        path.last { !forms.contains($0.lowercased()) } ?? path.last ?? ""
    }
}
