import Glibc
import StickerHTTP
import StickerValues

/// Names that people give pictures in drops.
enum DropName {
    /// The last part of a path, as a name of a picture; browsers send whole paths for the files of a folder.
    ///
    /// - Throws: `WebError` if no picture may have it.
    static func picture(_ path: String) throws -> [UInt8] {
        let name = path.split(separator: "/").last.map { Array($0.utf8) } ?? []
        let bytesMax = Int(NAME_MAX) - SideFile.stickerSuffix.utf8.count
        guard name.count <= bytesMax else {
            throw WebError(
                status: 400, message: "its name is too long for a side file beside it",
                remedy: "rename it; \(bytesMax) bytes are allowed")
        }
        guard !name.isEmpty, !FileKind.isIgnoredName(name) else {
            throw WebError(
                status: 400, message: "files of this name are ignored", remedy: "rename it")
        }
        return name
    }

    /// Refuses files that become neither a sticker nor the picture of a category.
    ///
    /// - Throws: `WebError`.
    static func checkType(_ key: SourceKey) throws {
        switch FileKind.of(key) {
        case .picture, .cover: return
        case .foreignPicture:
            throw WebError(
                status: 415, message: "pictures of this type are not read",
                remedy: "save it as PNG, GIF or WebP")
        case .words, .ignored:
            throw WebError(
                status: 415, message: "its name is not that of a picture",
                remedy: "name it after its type: \(ImageFormat.namesOfAll)")
        }
    }
}
