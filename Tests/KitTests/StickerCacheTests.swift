import Foundation
import StickerKit
import StickerTestSupport
import Testing

/// Pictures kept on the disk.
struct StickerCacheTests {
    private let folder: TemporaryFolder
    private var place: URL { URL(filePath: folder.path) }

    init() throws { folder = try TemporaryFolder() }

    @Test func pictureIsFetchedOnce() async throws {
        let picture = Picture("a")
        let server = StubServer(picture)
        let cache = StickerCache(folder: place, session: server.session)

        #expect(try await cache.data(for: server.url(picture.path)) == picture.data)
        #expect(try await cache.data(for: server.url(picture.path)) == picture.data)
        let file = try await cache.file(for: server.url(picture.path))

        #expect(try Data(contentsOf: file) == picture.data)
        #expect(file.pathExtension == "png")
        #expect(server.asked.count == 1)
    }

    @Test func nameAloneTellsThePicture() async throws {
        let picture = Picture("a")
        let server = StubServer(picture)
        let cache = StickerCache(folder: place, session: server.session)
        _ = try await cache.data(for: server.url(picture.path))
        let other = try #require(URL(string: "https://elsewhere.example/\(picture.name)?v=2"))

        #expect(try await cache.data(for: other) == picture.data)
    }

    @Test(arguments: [Data(), Data("other".utf8)])
    func damagedFileIsFetchedAgain(damage: Data) async throws {
        let picture = Picture("a")
        let server = StubServer(picture)
        let cache = StickerCache(folder: place, session: server.session)
        let file = try await cache.file(for: server.url(picture.path))
        try damage.write(to: file)

        #expect(try await cache.data(for: server.url(picture.path)) == picture.data)
        #expect(try Data(contentsOf: file) == picture.data)
        #expect(server.asked.count == 2)
    }

    /// Another process may be reading it.
    @Test func fileIsReplacedAndNotWrittenOver() async throws {
        let picture = Picture("a")
        let server = StubServer(picture)
        let cache = StickerCache(folder: place, session: server.session)
        let file = try await cache.file(for: server.url(picture.path))
        try Data("damaged".utf8).write(to: file)
        let reader = try FileHandle(forReadingFrom: file)

        _ = try await cache.file(for: server.url(picture.path))

        #expect(try reader.readToEnd() == Data("damaged".utf8))
        #expect(try Data(contentsOf: file) == picture.data)
    }

    @Test func wrongBytesAreNotKept() async throws {
        let picture = Picture("a")
        let server = StubServer { _ in .json("something else") }
        let cache = StickerCache(folder: place, session: server.session)

        await #expect(throws: StickerError.damaged(server.url(picture.path))) {
            try await cache.data(for: server.url(picture.path))
        }

        #expect(!FileManager.default.fileExists(atPath: folder.path("stickers-1")))
    }

    @Test func failureIsNotRemembered() async throws {
        let picture = Picture("a")
        let isUp = WaitableValue(false)
        let server = StubServer { _ in isUp.value ? .init(body: picture.data) : nil }
        let cache = StickerCache(folder: place, session: server.session)
        await #expect(throws: StickerError.self) {
            try await cache.data(for: server.url(picture.path))
        }

        isUp.update { $0 = true }

        #expect(try await cache.data(for: server.url(picture.path)) == picture.data)
    }

    @Test func whoAsksMeanwhileWaitsForTheSameAnswer() async throws {
        let picture = Picture("a")
        let isUp = WaitableValue(false)
        let server = StubServer { _ in
            _ = await isUp.wait { $0 }
            return .init(body: picture.data)
        }
        let cache = StickerCache(folder: place, session: server.session)
        let url = server.url(picture.path)
        let tasks = (0..<8).map { _ in Task { try await cache.data(for: url) } }
        await server.isAsked()

        isUp.update { $0 = true }

        for task in tasks { #expect(try await task.value == picture.data) }
        #expect(server.asked.count == 1)
    }

    /// Another server may have what one lacks.
    @Test func failureIsThatOfTheAddress() async throws {
        let picture = Picture("a")
        let mayFail = WaitableValue(false)
        let hasIt = StubServer(picture)
        let lacksIt = StubServer { _ in
            _ = await mayFail.wait { $0 }
            return .json("something else")
        }
        let cache = StickerCache(folder: place, session: hasIt.session)
        let failing = Task { try await cache.data(for: lacksIt.url(picture.path)) }
        await lacksIt.isAsked()

        #expect(try await cache.data(for: hasIt.url(picture.path)) == picture.data)
        mayFail.update { $0 = true }
        await #expect(throws: StickerError.self) { try await failing.value }
    }

    @Test func addressWithoutAHashIsRefused() async throws {
        let cache = StickerCache(folder: place)
        for path in ["_/ab/cat.png", "_/ab/\(String(repeating: "A", count: 64)).png", "", "../x"] {
            let url = try #require(URL(string: "https://example.org/\(path)"))

            await #expect(
                throws: StickerError.unreadable(url, "the name of the file is not its SHA-256")
            ) {
                try await cache.data(for: url)
            }
        }
    }

    @Test func removingAllBeginsAgain() async throws {
        let picture = Picture("a")
        let server = StubServer(picture)
        let cache = StickerCache(folder: place, session: server.session)
        try await cache.removeAll()
        _ = try await cache.data(for: server.url(picture.path))

        try await cache.removeAll()

        #expect(!FileManager.default.fileExists(atPath: folder.path("stickers-1")))
        #expect(try await cache.data(for: server.url(picture.path)) == picture.data)
        #expect(server.asked.count == 2)
    }

    @Test func folderThatCannotBeWrittenCostsOnlyTheFile() async throws {
        try folder.write([], to: "stickers-1")
        let picture = Picture("a")
        let server = StubServer(picture)
        let cache = StickerCache(folder: place, session: server.session)

        #expect(try await cache.data(for: server.url(picture.path)) == picture.data)
        let error = await #expect(throws: StickerError.self) {
            try await cache.file(for: server.url(picture.path))
        }

        guard case .storage? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
