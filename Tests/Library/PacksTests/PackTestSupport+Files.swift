import Foundation
import StickerPacks
import StickerValues
import Testing

extension TestPack {
    /// A sticker of a clean pack for `platform`, as its target or its companions would be made.
    static func sticker(
        _ number: Int, for platform: any PackMaking, moves: Bool = false,
        words: StickerWords = StickerWords()
    ) -> ManifestSticker {
        var target = platform.platform.target.flatMap { Target.builtIn[$0] }
        if target == nil { target = companions }
        let format = moves ? target?.moving?.forms[0].format : target?.still?.forms[0].format
        var sticker = sticker(
            number, frames: moves ? 3 : nil, target: target?.name ?? "", format: format ?? .png,
            side: max(target?.canvas.width ?? 0, target?.canvas.height ?? 0), words: words)
        sticker.files[0].width = target?.canvas.width ?? 0
        sticker.files[0].height = target?.canvas.height ?? 0
        if target?.name == companions.name { sticker.files[0].role = .companion }
        return sticker
    }

    private static let companions = {
        var target = Target(name: "companions", canvas: TargetCanvas(width: 512, height: 512))
        var (still, moving) = (StillRules(), MovingRules())
        (still.forms, moving.forms) = ([.png], [.gif])
        (target.still, target.moving) = (still, moving)
        return target
    }()

    /// A category of stickers that stand still and, if the platform takes them, of some that move.
    static func cleanSource(for platform: any PackMaking) -> PackSource {
        let target = platform.platform.target.flatMap { Target.builtIn[$0] }
        let takesMoving = target == nil || target?.moving != nil
        var source = source(
            (1...8).map { sticker($0, for: platform) }
                + (takesMoving ? (21...28).map { sticker($0, for: platform, moves: true) } : []))
        source.baseURL = "https://stickers.example.org/"
        source.icons = platform.icons.enumerated().map { index, size in
            PackIcon(
                size: size, picture: PublishedPicture(sha256: hash(900 + index), format: .png))
        }
        return source
    }

    /// The only pack of a category for a platform that does not divide so few stickers.
    static func pack(
        _ stickers: [ManifestSticker], for platform: some PackMaking,
        changing source: (inout PackSource) -> Void = { _ in }
    ) throws -> Pack {
        var own = Self.source(stickers)
        own.baseURL = "https://stickers.example.org/"
        source(&own)
        return try #require(packs(of: own, for: platform).first)
    }
}

extension PackFile {
    /// The bytes of a file that is not a picture.
    var text: String? {
        guard case .bytes(let bytes) = content else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The files of an archive.
    var files: [PackFile] {
        guard case .archive(_, let files) = content else { return [] }
        return files
    }

    /// Everything in it that is not a picture.
    var texts: [String] {
        switch content {
        case .bytes(let bytes): [String(decoding: bytes, as: UTF8.self)]
        case .picture: []
        case .archive(_, let files): files.flatMap(\.texts)
        case .joined(let pieces):
            pieces.compactMap { piece in
                guard case .bytes(let bytes) = piece else { return nil }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    /// The object in a JSON file.
    func object() throws -> [String: Any] {
        let text = try #require(text)
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(value as? [String: Any])
    }
}
