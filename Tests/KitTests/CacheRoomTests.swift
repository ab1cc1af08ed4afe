import Foundation
import StickerKit
import StickerTestSupport
import Testing

/// The disk space of a cache, and permissions there.
struct CacheRoomTests {
    private let folder: TemporaryFolder
    private var place: URL { URL(filePath: folder.path) }

    init() throws { folder = try TemporaryFolder() }

    private var kept: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path("stickers-1")).sorted()
        }
    }

    private func isKept(_ picture: Picture) throws -> Bool { try kept.contains(picture.name) }

    @Test func whatWasNotUsedForTheLongestTimeGoes() async throws {
        let pictures = (0..<10).map { Picture("\($0)") }
        let server = StubServer(pictures)
        let cache = StickerCache(folder: place, bytesMax: 1_000, session: server.session)
        for picture in pictures { _ = try await cache.data(for: server.url(picture.path)) }
        // The clock of a file system may be coarse.
        for (age, picture) in pictures.reversed().enumerated() { try grow(picture, olderBy: age) }
        _ = try await cache.data(for: server.url(pictures[0].path))

        let latest = Picture("new")
        let other = StubServer(latest)
        let second = StickerCache(folder: place, bytesMax: 1_000, session: other.session)
        _ = try await second.data(for: other.url(latest.path))

        #expect(try isKept(pictures[0]) && isKept(latest))
        #expect(try !isKept(pictures[1]) && !isKept(pictures[2]))
        #expect(try size() <= 1_000)
    }

    private func grow(_ picture: Picture, olderBy hours: Int) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: Double(-hours - 1) * 3600)],
            ofItemAtPath: folder.path("stickers-1/\(picture.name)"))
    }

    private func size() throws -> Int {
        try kept.reduce(0) { total, name in
            total + (try Data(contentsOf: URL(filePath: folder.path("stickers-1/\(name)"))).count)
        }
    }

    @Test func folderNeverNeedsMoreThanItMay() async throws {
        let pictures = (0..<60).map { Picture("\($0)-", count: 20 + $0) }
        let server = StubServer(pictures)
        let cache = StickerCache(folder: place, bytesMax: 2_000, session: server.session)

        for picture in pictures {
            _ = try await cache.data(for: server.url(picture.path))
            #expect(try size() <= 2_000)
        }

        #expect(try size() > 1_000)
    }

    @Test func pictureThatIsLargerThanAllIsKeptAlone() async throws {
        let small = Picture("s")
        let large = Picture("l", count: 5_000)
        let server = StubServer(small, large)
        let cache = StickerCache(folder: place, bytesMax: 1_000, session: server.session)
        _ = try await cache.data(for: server.url(small.path))

        let file = try await cache.file(for: server.url(large.path))

        #expect(try Data(contentsOf: file) == large.data)
        #expect(try kept == [large.name])
    }

    @Test func whatAnEndedProcessLeftGoesAfterADay() async throws {
        let old = try folder.write([1], to: "stickers-1/.dat.nosync17.Xa")
        try folder.write([1], to: "stickers-1/.dat.nosync18.Xb")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: old)
        let picture = Picture("a")
        let server = StubServer(picture)

        _ = try await StickerCache(folder: place, session: server.session)
            .data(for: server.url(picture.path))

        #expect(try kept == [".dat.nosync18.Xb", picture.name])
    }

    /// Caches share nothing but the folder, like processes.
    @Test func severalUseOneFolder() async throws {
        let pictures = (0..<24).map { Picture("\($0)", count: 300) }
        let server = StubServer(pictures)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                let cache = StickerCache(
                    folder: place, bytesMax: 4_000, session: server.session)
                let order = pictures[(number * 6)...] + pictures[..<(number * 6)]
                group.addTask {
                    for picture in order + order {
                        let data = try await cache.data(for: server.url(picture.path))
                        #expect(data == picture.data)
                    }
                }
            }
            try await group.waitForAll()
        }

        for name in try kept {
            let url = URL(filePath: folder.path("stickers-1/\(name)"))
            #expect(ContentName(name)?.promises(try Data(contentsOf: url)) == true)
        }
        #expect(try size() <= 4_000 + 4 * 500)
    }
}
