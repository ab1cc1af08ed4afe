import StickerPackFiles
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPacks
@testable import StickerStore

/// The records of packs.
struct PackBooksTests {
    private let folder: TemporaryFolder
    private let store: LibraryStore
    private let books: PackBooks
    private let cats = CategoryID(rawValue: "cats")

    init() throws {
        folder = try TemporaryFolder()
        var policy = StorePolicy()
        // Everything was asked for too long ago.
        policy.trash = .seconds(-60)
        store = try LibraryStore(path: folder.path(LibraryStore.fileName), policy: policy)
        books = PackBooks(store.packs, PackShelf(out: folder.path("out")))
        let key = SourceKey(drop: "/drop", directory: Array("cats".utf8), name: Array("a.png".utf8))
        let version = FileVersion(inode: 1, size: 9, mtime: 1, ctime: 1)
        _ = try store.queue.accept(
            [Sighting(key: key, version: version, isRegularFile: true, origin: .closed)])
    }

    private func source(stickers count: Int) -> PackSource {
        PackSource(
            category: cats, title: "Cats",
            stickers: (0..<count).map { number in
                let id = StickerID(rawValue: "s\(number)")
                let content = ContentHash(of: [UInt8(number)])
                let file = StickerFile(
                    role: .sticker, target: "zulip", format: .png,
                    size: PixelSize(width: 128, height: 128), bytes: 9, sha256: content)
                let product = StickerProduct(
                    recipe: "r", animated: false, encoding: Encoding(mode: .lossless),
                    files: [file])
                let source = ManifestSticker.Source(
                    name: "\(number).png", nameEncoding: nil, sha256: content)
                return ManifestSticker(
                    identifier: id, title: id.rawValue, emojis: [], product: product, source: source
                ) { "../\($0.path)" }
            })
    }

    private func packed(_ stickers: Int) throws -> [Pack] {
        try books.record(cats, for: Zulip()) { source(stickers: stickers) }.packs
    }

    @Test func packsThatAreLetGoKeepNoPicturesButTheirVersions() throws {
        #expect(try packed(2).map(\.version) == [1])
        let pack = try #require(try packed(3).first)
        #expect(pack.version == 2)
        let path = try #require(pack.pictures.first?.path)
        #expect(try store.catalog.isInPack(path))

        try books.release(cats, for: Zulip())

        #expect(try !store.catalog.isInPack(path))
        #expect(try books.bundle(of: cats, for: Zulip()).packs.isEmpty)
        #expect(try packed(3) == [pack])
        #expect(try packed(2).map(\.version) == [3])
    }
}
