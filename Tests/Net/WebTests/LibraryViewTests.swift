import Foundation
import GRDB
import Logging
import StickerTestSupport
import StickerValues
import Synchronization
import Testing

@testable import StickerWeb

/// The library as it is offered, while it changes.
struct LibraryViewTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    private var offered: [String] { shelf.get("/api/stickers/trending").ids }

    private func art(_ ids: String..., at time: String = "2026-01-01T00:00:00Z") -> [Shelf.Art] {
        ids.map { Shelf.Art($0).with { $0.publishedAt = time } }
    }

    @Test func pinnedComeFirstThenTheNewestThenTheOrderOfTheCategory() throws {
        try shelf.publish([
            "cats": art("c1", "c2", "c3") + art("c9", at: "2026-01-03T00:00:00Z"),
            "dogs": art("d1", at: "2026-01-02T00:00:00Z")
                + art("d0", at: "2020-05-01T00:00:00Z").map { $0.with { $0.pinned = true } },
        ])
        #expect(offered == ["d0", "c9", "d1", "c1", "c2", "c3"])
        let images = shelf.get("/api/stickers/trending").json["images"] as? [[String: Any]]
        #expect(images?.map { $0["pinned"] as? Bool } == [true, nil, nil, nil, nil, nil])
    }

    @Test func indexThatCannotBeWrittenKeepsWhatItShowsAndIsTriedAgain() throws {
        try shelf.publish(["cats": art("c1")])
        let index = shelf.library.index.writer
        try index.write {
            try $0.execute(
                sql: """
                    CREATE TRIGGER full BEFORE INSERT ON sticker
                    BEGIN SELECT RAISE(ABORT, 'full'); END
                    """)
        }

        try shelf.publish(["cats": art("c1", "c2")])

        #expect(offered == ["c1"])
        #expect(shelf.library.now.isReady)
        #expect(shelf.library.now.trouble?.contains("cannot be written") == true)
        try index.write { try $0.execute(sql: "DROP TRIGGER full") }
        shelf.library.look()
        #expect(offered == ["c1", "c2"])
        #expect(shelf.library.now.trouble == nil)
    }

    @Test func orderIsTheSameForEveryServerHoweverTheLibraryCameToBe() throws {
        try shelf.publish(["cats": art("c1", "c2"), "dogs": art("d1")])
        try shelf.publish(["cats": art("c1", "new", "c2"), "birds": art("b1")])
        try shelf.publish(["dogs": art("d0", "d1")])
        let other = try Shelf()
        try other.publish([
            "dogs": art("d0", "d1"), "birds": art("b1"), "cats": art("c1", "new", "c2"),
        ])
        #expect(offered == other.get("/api/stickers/trending").ids)
        #expect(offered.count == 6)
    }

    @Test(arguments: [["b", "a", "c", "d"], ["d", "c", "b", "a"], ["b", "c", "d", "a"]])
    func stickersOfOneSecondChangePlaces(_ order: [String]) throws {
        let art = { (ids: [String]) in ids.map { Shelf.Art($0) } }
        try shelf.publish(["cats": art(["a", "b", "c", "d"])])
        try shelf.publish(["cats": art(order)])
        #expect(offered == order)
    }

    @Test func pagesNeitherRepeatNorSkip() throws {
        try shelf.publish(["cats": (1...23).map { Shelf.Art("c\($0)") }])
        var seen: [String] = []
        var hasMore = true
        while hasMore {
            let page = shelf.get("/api/stickers/trending?offset=\(seen.count)&limit=5")
            seen += page.ids
            hasMore = page.json["has_more"] as? Bool ?? false
        }
        #expect(seen == offered && Set(seen).count == 23)
    }

    @Test func changesAreTakenOver() throws {
        try shelf.publish(["cats": [Shelf.Art("c1", "old title"), Shelf.Art("c2")]])
        let before = shelf.library.now.generation
        shelf.library.look()
        #expect(shelf.library.now.generation == before)

        try shelf.publish(["cats": [Shelf.Art("c1", "new title")]])

        #expect(shelf.library.now.generation > before)
        #expect(shelf.get("/api/stickers/search?q=old").ids == [])
        #expect(shelf.get("/api/stickers/search?q=new").ids == ["c1"])
        #expect(offered == ["c1"])
        try shelf.remove("cats")
        #expect(offered == [])
    }

    /// The daemon lists what is removed before the manifest lacks it; that happens here between two files that are read.
    @Test func stickerThatIsRemovedMeanwhileIsListedAsRemoved() throws {
        try shelf.publish(["cats": [Shelf.Art("s1"), Shelf.Art("stays")]])
        try shelf.bury("old")
        let isBuried = Atomic(false)
        let index = try SearchIndex(folder: shelf.folder.path, readers: 1)
        var update = LibraryUpdate(
            TreeReader(out: shelf.folder.path("out")) { [shelf] name in
                guard name == RemovedStickers.fileName,
                    !isBuried.exchange(true, ordering: .relaxed)
                else { return }
                #expect(throws: Never.self) {
                    try shelf.bury(["old", "s1"], looks: false)
                    try shelf.publish(["cats": [Shelf.Art("stays")]])
                }
            }, StickerWording(addresses: PublicAddresses(base: "")), index)

        _ = update.take()

        let id = StickerID(rawValue: "s1")
        #expect(try index.one(id, .provider) == nil)
        #expect(update.removed.keys.contains(id))
    }

    @Test func whatIsReadOfOneStateIsReadAgainIfThatWasReplaced() throws {
        let turn = StateTurn()
        var reads = 0
        let value = try turn.reading {
            reads += 1
            if reads == 1 {
                turn.begin()
                turn.begin()
                turn.end()
            }
            return reads
        }
        #expect(value == 2)
    }

    @Test func pagesThatLeadBackToThemselvesAreDamaged() throws {
        try shelf.publish(["cats": [Shelf.Art("c1")], "dogs": [Shelf.Art("d1")]])
        let path = shelf.folder.path("out/cats/manifest.json")
        var manifest = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
                as? [String: Any])
        manifest["nextURL"] = "manifest.json"
        try JSONSerialization.data(withJSONObject: manifest)
            .write(to: URL(filePath: path), options: .atomic)

        try shelf.publish(["dogs": [Shelf.Art("d2")]])

        #expect(shelf.library.now.trouble?.contains("lead back") == true)
        #expect(Set(offered) == ["c1", "d2"])
    }

    @Test func stickerThatMovedIsOfferedOnce() throws {
        try shelf.publish(["cats": art("s1", "c1"), "dogs": art("d1")])
        // For a moment, both manifests name it.
        try shelf.publish(["dogs": art("d1", "s1")])
        #expect(offered.sorted() == ["c1", "d1", "s1"])
        try shelf.publish(["cats": art("c1")])
        #expect(offered.sorted() == ["c1", "d1", "s1"])
        let moved = shelf.get("/api/stickers/s1").json["category"] as? String
        #expect(moved == "dogs")
    }

    @Test(arguments: ["aaa", "zoo"])
    func stickerOfTwoCategoriesIsWhereItChangedLast(_ other: String) throws {
        let moved = art("s1").map { $0.with { $0.changedAt = "2026-01-02T00:00:00Z" } }
        try shelf.publish(["cats": art("s1", "c1"), other: moved])
        func category() -> String? { shelf.get("/api/stickers/s1").json["category"] as? String }
        #expect(category() == other && offered.sorted() == ["c1", "s1"])
        // It went back: the other one lists it no more, and this one did all the time.
        try shelf.publish([other: art("o1")])
        #expect(category() == "cats" && offered.sorted() == ["c1", "o1", "s1"])
        try shelf.publish([other: moved])
        #expect(category() == other)
        try shelf.remove(other)
        #expect(category() == "cats" && offered.sorted() == ["c1", "s1"])
    }

    @Test func stickerThatIsListedTwiceIsOfferedOnce() throws {
        try shelf.publish(["cats": art("s1", "c1", "s1")])
        #expect(offered == ["s1", "c1"])
        #expect(shelf.get("/api/categories/cats/stickers").ids == ["s1", "c1"])
    }

    @Test func stateIsTheSameForEveryServerThatHasReadTheSame() throws {
        try shelf.publish(["cats": art("c1")])
        let other = LibraryView(
            out: shelf.folder.path("out"),
            words: StickerWording(addresses: PublicAddresses(base: "https://example.org/")),
            index: try SearchIndex(folder: shelf.folder.path, readers: 1), pause: .zero,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        other.look()
        let before = shelf.library.now.mark
        #expect(other.now.mark == before)
        try shelf.publish(["cats": art("c1", "c2")])
        #expect(shelf.library.now.mark != before)
        other.look()
        #expect(other.now.mark == shelf.library.now.mark)
    }

    @Test func whatCannotBeReadAtTheStartKeepsNothingElseAway() throws {
        try shelf.write(Array("{".utf8), at: "cats/manifest.json")
        try shelf.publish(["dogs": art("d1")])
        // The daemon may just be replacing it.
        #expect(shelf.get("/readyz").status == 503)
        shelf.library.look()
        #expect(shelf.get("/readyz").status == 200)
        #expect((shelf.get("/readyz").json["trouble"] as? String)?.hasPrefix("cats/") == true)
        #expect(offered == ["d1"])
        // A sticker that only cannot be read is not reported as missing.
        #expect(shelf.get("/api/stickers/c1").status == 503)
        #expect(shelf.get("/api/categories/cats").status == 503)
        #expect(shelf.get("/v1/stickers/c1").status == 503)
        try shelf.publish(["cats": art("c1")])
        #expect(shelf.get("/api/stickers/c1").status == 200)
        #expect(shelf.get("/api/stickers/c2").status == 404)
    }

    @Test func whatCannotBeReadIsServedAsItWas() throws {
        try shelf.publish(["cats": art("c1"), "dogs": art("d1")])
        try shelf.write(Array("{".utf8), at: "cats/manifest.json")
        try shelf.publish(["dogs": art("d1", "d2")])
        #expect(offered.sorted() == ["c1", "d1", "d2"])
        #expect(shelf.library.now.trouble != nil)
        #expect(shelf.get("/readyz").status == 200)
        #expect(shelf.get("/readyz").json["trouble"] is String)
        try shelf.publish(["cats": art("c1", "c2")])
        #expect(shelf.library.now.trouble == nil && offered.count == 4)
    }

    @Test func emptyLibraryIsReady() throws {
        #expect(shelf.get("/readyz").status == 503)
        #expect(shelf.get("/api/stickers/trending").status == 503)
        try shelf.publish([:])
        #expect(shelf.get("/readyz").status == 200)
        #expect(offered == [])
    }

    @Test func folderInWhichNothingIsPublishedIsNoEmptyLibrary() throws {
        shelf.library.look()
        #expect(shelf.get("/readyz").status == 503)
        let trouble = shelf.get("/readyz").json["trouble"] as? String
        #expect(trouble?.contains("index.json") == true)
    }

    @Test(arguments: ["index.json", "cats/manifest.json", RemovedStickers.fileName])
    func whatIsDamagedIsNamed(file: String) throws {
        try shelf.publish(["cats": art("c1")])
        try shelf.write(Array("{".utf8), at: file)
        shelf.library.look()
        let trouble = shelf.get("/readyz").json["trouble"] as? String
        #expect(trouble?.hasPrefix("\(file) is damaged: ") == true, "\(trouble ?? "none")")
    }

    /// As when a share is not mounted.
    @Test(arguments: ["out", "out/index.json", "out/cats", "out/\(RemovedStickers.fileName)"])
    func whatIsLostIsServedAsItWas(_ lost: String) throws {
        try shelf.publish(["cats": art("c1")])
        try shelf.bury("old")
        try FileManager.default.moveItem(
            atPath: shelf.folder.path(lost), toPath: shelf.folder.path("away"))
        shelf.library.look()
        #expect(offered == ["c1"] && shelf.get("/api/stickers/old").status == 410)
        #expect(shelf.get("/api/stickers/never").status == 503)
        #expect(shelf.library.now.trouble != nil)
        try FileManager.default.moveItem(
            atPath: shelf.folder.path("away"), toPath: shelf.folder.path(lost))
        shelf.library.look()
        #expect(offered == ["c1"] && shelf.library.now.trouble == nil)
    }
}
