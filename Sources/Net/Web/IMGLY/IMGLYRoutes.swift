import FoundationEssentials
import StickerConfiguration
import StickerHTTP
import StickerValues

/// The current library for the editors of IMG.LY, with smart stickers and the user's own.
struct IMGLYRoutes: Sendable {
    /// The most stickers of an answer, each of which is read from the index.
    static let stickersMax = 10_000

    let library: LibraryView
    let addresses: PublicAddresses
    /// Users' own stickers; `nil` if there are none.
    let uploads: UploadRoutes?

    /// The request without irrelevant parts, so that a large answer is made once.
    static func plain(_ request: WebRequest) -> WebRequest {
        var plain = request
        let asked = Set((request.query["categories"] ?? "").split(separator: ",")).sorted()
        plain.query = asked.isEmpty ? [:] : ["categories": asked.joined(separator: ",")]
        return plain
    }

    /// The categories, or those whose ids are in `categories`. May block.
    ///
    /// - Returns: the answer, and its state of the library.
    /// - Throws: `WebError` if one of them does not exist, they have too many stickers, or the token is unknown.
    func catalog(_ request: WebRequest) throws -> (state: LibraryView.Facts, answer: Answer) {
        let asked = (request.query["categories"] ?? "").split(separator: ",").map(String.init)
        let theirs = IMGLYLibrary.Category(
            identifier: IMGLYLibrary.personalCategory, name: UploadRoutes.title,
            items: try uploads?.ready(for: request) ?? [])
        // Only the reading is repeated if the library changes meanwhile.
        let (state, chosen, bodies) = try library.reading {
            let now = library.now
            let chosen = try Self.categories(asked, of: now)
            return (now, chosen, try library.index.some(chosen.flatMap(\.stickers), .whole))
        }
        let (categories, smart) = try published(chosen, FoundSticker.read(bodies))
        let catalog = IMGLYLibrary(
            categories: categories, smart: smart, theirs: theirs,
            personal: uploads?.settings ?? PersonalConfiguration())
        return (state, try answer(catalog, to: request))
    }

    private func answer(_ catalog: IMGLYLibrary, to request: WebRequest) throws -> Answer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var answer = Answer.json(200, Array(try encoder.encode(["sticker": catalog])))
        if request.header("authorization") != nil { answer.set("Cache-Control", "no-store") }
        answer.headers.append(("Vary", "Authorization"))
        return answer
    }

    /// The requested categories, in the order of the library.
    private static func categories(
        _ asked: [String], of now: LibraryView.Facts
    ) throws -> [CategoryFacts] {
        let chosen = now.categories.filter {
            asked.isEmpty || asked.contains($0.identifier.rawValue)
        }
        let there = Set(chosen.map(\.identifier.rawValue))
        if let unknown = asked.first(where: { !there.contains($0) }) {
            guard now.trouble == nil else { throw now.nothing }
            throw WebError(
                status: 404, message: "this library has no category \(unknown.prefix(100))",
                remedy: "ask for ids that /api/categories lists, without those of other services")
        }
        let count = chosen.reduce(0) { $0 + $1.stickers.count }
        guard count <= stickersMax else { throw tooMany(count, in: chosen) }
        return chosen
    }

    private static func tooMany(_ count: Int, in chosen: [CategoryFacts]) -> WebError {
        let few = "ask for categories with at most \(stickersMax) together: categories=ID,ID"
        let large = chosen.first { $0.stickers.count > stickersMax }.map { category in
            "\(category.identifier) alone has more: divide it, or use the output of "
                + "stickerctl export \(category.identifier) --for imgly"
        }
        let remedy = [chosen.count > 1 ? few : nil, large].compactMap(\.self)
        return WebError(
            status: 400, message: "that would be \(count) stickers",
            remedy: remedy.joined(separator: "; "))
    }

    private func published(
        _ chosen: [CategoryFacts], _ found: [FoundSticker]
    ) -> (categories: [IMGLYLibrary.Category], smart: IMGLYLibrary.Category?) {
        let byID = Dictionary(found.map { ($0.identifier, $0) }) { first, _ in first }
        var (categories, smart) = ([IMGLYLibrary.Category](), [IMGLYLibrary.Item]())
        var smartName: String?
        for category in chosen {
            let stickers = category.stickers.compactMap { byID[$0] }
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

    /// A category; `nil` if the editors can show nothing in it.
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
    /// `nil` if the editors can show no picture of it, or use its id themselves.
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
