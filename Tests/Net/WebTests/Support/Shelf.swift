import Foundation
import Logging
import NIOCore
import StickerConfiguration
import StickerHTTP
import StickerServices
import StickerSystem
import StickerTestSupport
import StickerValues

@testable import StickerWeb

/// A published folder that a test fills, and a site over it.
final class Shelf: @unchecked Sendable {
    // Unchecked because each test uses its own, from one thread at a time.
    let folder: TemporaryFolder
    let library: LibraryView
    let site: Site
    let upstreams: Upstreams
    private var generations: [String: Int] = [:]

    init(
        keys: [String] = [], base: String = "https://example.org/",
        origins: [String] = [], metrics: WebConfiguration.Audience = .local, rate: Int = 0,
        upstreams: [UpstreamConfiguration] = [], credentials: String? = nil,
        patience: Upstreams.Patience = .init(category: .seconds(300), list: .seconds(300)),
        seconds: Int = 300,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("out"), withIntermediateDirectories: true)
        let index = try SearchIndex(folder: folder.path, readers: 2)
        let addresses = PublicAddresses(base: base)
        library = LibraryView(
            out: folder.path("out"), words: StickerWording(addresses: addresses), index: index,
            pause: .zero, logger: logger)
        let counts = WebMetrics(run: folder.path("run"))
        var fetcher = Fetcher(agent: "test")
        (fetcher.seconds, fetcher.bytesMax) = (seconds, 1 << 20)
        self.upstreams = Upstreams(
            upstreams, credentials: credentials, fetcher: fetcher, patience: patience,
            clock: { [start = ContinuousClock.now] in start }, metrics: counts, logger: logger)
        site = Site(
            library, out: folder.path("out"), addresses: addresses,
            gallery: .gallery(bases: [base], imageHosts: self.upstreams.imageHosts),
            compose: .compose(
                bases: [base], origins: origins, imageHosts: self.upstreams.imageHosts),
            upstreams: self.upstreams,
            access: WebAccess(keys: AccessKeys(keys), rate: rate, metrics: metrics),
            metrics: counts, logger: logger)
    }

    /// A test's description of a sticker.
    struct Art {
        var id: String
        var title: String
        var emojis: [String] = []
        var keywords: [String]?
        var pinned = false
        var moves = false
        var hasCompanion = true
        /// Other styles of a smart sticker; `nil` if it is none.
        var styles: [String]?
        var tintMode: TintMode?
        var rating: Rating?
        var publishedAt = "2026-01-01T00:00:00Z"
        var changedAt: String?

        init(_ id: String, _ title: String? = nil) {
            self.id = id
            self.title = title ?? id
        }

        func with(_ change: (inout Art) -> Void) -> Art {
            var art = self
            change(&art)
            return art
        }
    }

    /// Publishes categories, and lets the library look.
    func publish(
        _ categories: [String: [Art]], readiness: [PackPlatform: Readiness]? = nil
    ) throws {
        for (category, art) in categories { try write(category, art, readiness) }
        let ids = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
            .filter { !$0.hasPrefix("_") && !$0.hasSuffix(".json") }.sorted()
        let listed = ids.map {
            LibraryIndex.Category(
                identifier: CategoryID(rawValue: $0), title: $0.capitalized,
                manifestURL: "\($0)/manifest.json")
        }
        try write(LibraryIndex(generation: generations.count, categories: listed), "index.json")
        library.look()
    }

    /// Takes a category out.
    func remove(_ category: String) throws {
        try FileManager.default.removeItem(atPath: folder.path("out/\(category)"))
        try publish([:])
    }

    /// Lists removed stickers.
    func bury(_ ids: String...) throws { try bury(ids) }

    /// Lists removed stickers, and lets the library look unless it does so by itself.
    func bury(_ ids: [String], successor: String? = nil, looks: Bool = true) throws {
        let removed = ids.map {
            RemovedSticker(
                identifier: StickerID(rawValue: $0), title: "Old \($0)",
                category: CategoryID(rawValue: "cats"), sha256: nil,
                removedAt: "2026-01-02T00:00:00Z", successor: successor.map(StickerID.init))
        }
        try write(RemovedStickers(generation: 1, removed: removed), RemovedStickers.fileName)
        if looks { library.look() }
    }

    private func write(
        _ category: String, _ art: [Art], _ readiness: [PackPlatform: Readiness]?
    ) throws {
        generations[category, default: 0] += 1
        var manifest = Manifest(
            generation: generations[category] ?? 1, identifier: CategoryID(rawValue: category),
            title: category.capitalized, stickers: art.map(\.entry))
        manifest.readiness = readiness
        try write(manifest, "\(category)/manifest.json")
    }

    private func write(_ value: some Encodable, _ name: String) throws {
        let path = folder.path("out/\(name)")
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        // Replaced in one step, as the daemon does it.
        try JSONEncoder().encode(value).write(to: URL(filePath: path), options: .atomic)
    }

    func write(_ bytes: [UInt8], at name: String) throws {
        let path = folder.path("out/\(name)")
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path))
    }

    /// Asks the site.
    func get(
        _ target: String, method: String = "GET", _ headers: [String: String] = [:]
    ) -> Reply {
        Reply(site.answer(WebRequest(method, target, identifier: "r1") { headers[$0] }))
    }

    /// Asks the site, which may ask upstreams first.
    func ask(
        _ target: String, _ headers: [String: String] = [:], client: String = "192.0.2.1"
    ) async -> Reply {
        Reply(
            await site.answerWithUpstreams(
                RoutedRequest(
                    WebRequest("GET", target, identifier: "r1", client: client) { headers[$0] })))
    }
}

extension Site {
    func answer(_ request: WebRequest) -> Answer { answer(RoutedRequest(request)) }
}

/// An answer, taken apart.
struct Reply {
    let status: Int
    let headers: [String: String]
    let bytes: [UInt8]

    init(_ answer: Answer) {
        status = answer.status
        headers = Dictionary(answer.headers.map { ($0.name, $0.value) }) { $1 }
        switch answer.body {
        case .bytes(let buffer): bytes = Array(buffer.readableBytesView)
        case .changes: bytes = []
        case .file(let file, let range):
            bytes =
                (try? file.descriptor.bytes(range.count, at: range.lowerBound, path: "")) ?? []
        }
    }

    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
    }

    /// The ids in the answer of a provider.
    var ids: [String] {
        (json["images"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }
}

extension Shelf.Art {
    var entry: ManifestSticker {
        func file(_ role: StickerFile.Role, _ format: ImageFormat, _ side: Int) -> StickerFile {
            let hash = String(repeating: "0", count: 56) + String(id.hashDigits)
            return StickerFile(
                role: role, format: format, size: PixelSize(width: side, height: side), bytes: 9,
                sha256: ContentHash(rawValue: hash), frames: moves && format != .png ? 2 : nil)
        }
        var files = [file(.sticker, .webp, 512), file(.thumbnail, .png, 144)]
        if hasCompanion { files.append(file(.companion, moves ? .gif : .png, 512)) }
        for style in styles ?? [] {
            for format in [ImageFormat.webp, .png] {
                var variant = file(.variant, format, 512)
                variant.style = style
                files.append(variant)
            }
        }
        let product = StickerProduct(
            recipe: "r", animated: moves, encoding: Encoding(mode: .lossless), files: files)
        var words = StickerWords()
        words.keywords = keywords
        words.pinned = pinned
        words.rating = rating
        words.tintMode = tintMode
        var entry = ManifestSticker(
            identifier: StickerID(rawValue: id), title: title, emojis: emojis, product: product,
            source: .init(
                name: styles == nil ? "\(id).png" : "\(id).smart.svg", nameEncoding: nil,
                sha256: ContentHash(rawValue: String(repeating: "1", count: 64))),
            words: words
        ) { "../\($0.path)" }
        entry.publishedAt = publishedAt
        entry.changedAt = changedAt
        return entry
    }
}

extension String {
    fileprivate var hashDigits: Substring {
        let sum = utf8.reduce(UInt64(7)) { ($0 &* 31 &+ UInt64($1)) & 0xFFFF_FFFF }
        return (String(repeating: "0", count: 8) + String(sum, radix: 16)).suffix(8)
    }
}
