/// Names of archives.
public enum ArchiveName {
    /// Their endings, except those of sticker makers.
    public static let endings = [".tar.gz", ".tgz", ".tar", ".zip"]

    /// Whether a name ends like that of an archive.
    public static func ends(_ name: String) -> Bool {
        let name = name.lowercased()
        return endings.contains { name.hasSuffix($0) }
    }
}
