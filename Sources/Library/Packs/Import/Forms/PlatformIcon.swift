import StickerValues

/// A picture that a platform requires beside the stickers of a pack, by its prescribed name and size.
///
/// Without a list of the stickers, neither is enough: an artist may have named a sticker `main`, and in a folder of
/// small pictures all may have the size of an icon.
struct PlatformIcon {
    let name: String
    let size: PixelSize
    let platform: PackPlatform

    /// The most suitable cover first.
    static let all = [
        PlatformIcon(name: "main", size: PixelSize(width: 240, height: 240), platform: .line),
        PlatformIcon(name: "tray", size: PixelSize(width: 96, height: 96), platform: .whatsapp),
        PlatformIcon(
            name: "thumbnail", size: PixelSize(width: 100, height: 100), platform: .telegram),
        PlatformIcon(name: "tab", size: PixelSize(width: 96, height: 74), platform: .line),
    ]

    /// The icons in a folder.
    ///
    /// - Parameters:
    ///   - pictures: the paths of its pictures.
    ///   - files: the imported files.
    /// - Returns: the pictures with the name and size of an icon, if no other picture beside them has that size; the
    ///   most suitable cover first.
    static func icons(among pictures: [String], _ files: PackFiles) -> [String] {
        let named = all.flatMap { icon in
            pictures.filter { TreePath.name(of: $0).lowercased() == "\(icon.name).png" }
                .map { (path: $0, size: icon.size) }
        }
        let others = pictures.filter { path in !named.contains { $0.path == path } }
        guard !named.isEmpty, !others.isEmpty else { return [] }
        let usual = Set(others.map { files.size(ofPicture: $0) })
        return named.filter {
            !usual.contains($0.size) && $0.size == files.size(ofPicture: $0.path)
        }
        .map(\.path)
    }
}
