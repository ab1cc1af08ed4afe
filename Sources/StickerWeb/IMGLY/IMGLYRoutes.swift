import FoundationEssentials
import NIOCore
import StickerHTTP
import StickerModel

/// The library as the editors of IMG.LY take it, as it is now: smart stickers too, and what a user has added.
struct IMGLYRoutes: Sendable {
    /// The most stickers of an answer, each of which is read from the index.
    static let stickersMax = 10_000

    let library: LibraryView
    let addresses: PublicAddresses
    /// Stickers of users; `nil` if there are none.
    let personal: PersonalRoutes?

    /// The categories, or those whose ids are in `categories`. May block.
    ///
    /// - Throws: `WebError` if they have too many stickers, or nobody has the token that was sent.
    func catalog(_ request: WebRequest) throws -> Answer {
        let asked = (request.query["categories"] ?? "").split(separator: ",").map(String.init)
        let theirs = IMGLYLibrary.Category(
            identifier: IMGLYLibrary.personalCategory, name: PersonalRoutes.title,
            items: try personal?.ready(for: request) ?? [])
        let (categories, smart) = try library.reading { try published(asked) }
        return try answer(
            IMGLYLibrary(
                categories: categories, smart: smart, theirs: theirs,
                personal: personal?.settings ?? PersonalConfiguration()))
    }

    private func answer(_ catalog: IMGLYLibrary) throws -> Answer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Answer(
            200,
            [
                ("Content-Type", Answer.jsonType), ("Cache-Control", "no-store"),
                ("Vary", "Authorization"),
            ], .bytes(ByteBuffer(bytes: try encoder.encode(["sticker": catalog]))))
    }

    private func published(
        _ asked: [String]
    ) throws -> (categories: [IMGLYLibrary.Category], smart: IMGLYLibrary.Category?) {
        let chosen = library.now.categories.filter {
            asked.isEmpty || asked.contains($0.identifier.rawValue)
        }
        let count = chosen.reduce(0) { $0 + $1.stickers.count }
        guard count <= Self.stickersMax else {
            throw WebError(
                status: 400, message: "that would be \(count) stickers",
                remedy: "ask for categories with at most \(Self.stickersMax) together: "
                    + "categories=ID,ID")
        }
        var (categories, smart) = ([IMGLYLibrary.Category](), [IMGLYLibrary.Item]())
        var smartName: String?
        for category in chosen {
            let stickers = try FoundSticker.read(library.index.some(category.stickers, .whole))
            smart += stickers.filter(\.isSmart).compactMap(IMGLYLibrary.Item.init)
            let lasting = stickers.filter { !$0.isSmart }
            if lasting.isEmpty { smartName = smartName ?? category.title }
            if let listed = listed(category, lasting) { categories.append(listed) }
        }
        return (
            categories,
            IMGLYLibrary.Category(
                identifier: IMGLYLibrary.smartCategory,
                name: smartName ?? IMGLYLibrary.smartName, items: smart)
        )
    }

    /// A category; `nil` if there is nothing in it that the editors show.
    private func listed(
        _ category: CategoryFacts, _ stickers: [FoundSticker]
    ) -> IMGLYLibrary.Category? {
        let id = category.identifier
        guard !IMGLYLibrary.isReserved(id.rawValue) else { return nil }
        let picture = category.trayURL ?? category.imageURL
        return IMGLYLibrary.Category(
            identifier: id.rawValue, name: category.title,
            thumbnailURI: picture.map { addresses.file($0, of: id) },
            items: stickers.compactMap(IMGLYLibrary.Item.init))
    }
}

extension IMGLYLibrary.Item {
    /// `nil` if the editors show no picture of it, or have an id of that name themselves.
    fileprivate init?(_ sticker: FoundSticker) {
        guard let picture = sticker.pictures.first, picture.format != .webp,
            !IMGLYLibrary.isReserved(sticker.identifier.rawValue)
        else { return nil }
        let spoken = [sticker.text, sticker.title, sticker.identifier.rawValue]
            .compactMap(\.self).first { !$0.allSatisfy(\.isWhitespace) }
        self.init(
            identifier: sticker.identifier.rawValue,
            name: spoken ?? sticker.identifier.rawValue, stickerURI: picture.url,
            thumbnailURI: sticker.thumbnail, tintMode: sticker.tintMode,
            moves: sticker.animated || picture.format == .gif,
            variants: sticker.variants.filter { !$0.url.hasSuffix(".webp") }.map {
                IMGLYLibrary.Variant(of: sticker.identifier, style: $0.style, stickerURI: $0.url)
            })
    }
}
