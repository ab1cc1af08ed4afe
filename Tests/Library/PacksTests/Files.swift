import Foundation
import StickerPacks
import StickerValues
import Testing

/// The files of a platform, for reading.
extension [PackFile] {
    var paths: [String] { map(\.path) }

    /// The picture at a path.
    func picture(_ path: String) -> PublishedPicture? {
        guard case .picture(let picture) = first(where: { $0.path == path })?.content else {
            return nil
        }
        return picture
    }

    func text(_ path: String) throws -> String {
        let file = try #require(first { $0.path == path }, "there is no \(path)")
        guard case .bytes(let bytes) = file.content else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    func object(_ path: String) throws -> [String: Any] {
        try #require(try json(path) as? [String: Any])
    }

    func list(_ path: String) throws -> [[String: Any]] {
        try #require(try json(path) as? [[String: Any]])
    }

    private func json(_ path: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text(path).utf8))
    }
}

extension PublishedPicture {
    /// That of the test sticker with a number.
    static func of(_ number: Int, _ format: ImageFormat) -> PublishedPicture {
        PublishedPicture(sha256: TestPack.hash(number), format: format)
    }
}

extension PackSource {
    /// With a picture of each size that a platform asks for.
    func withIcons(for platform: some PackMaking) -> PackSource {
        var source = self
        source.icons = platform.icons.enumerated().map {
            PackIcon(size: $1, picture: .of(900 + $0, .png))
        }
        return source
    }
}
