import GRDB
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerStore

/// The smart stickers that come with stickerd have ids that nobody else can have, and keep them.
struct ShippedTests {
    private let library: Library
    private let shipped = DropFolder(path: "/usr/share/smart", name: ShippedTemplates.dropName)

    init() throws {
        library = try Library()
        try list([shipped])
    }

    private func list(_ drops: [DropFolder]) throws {
        var configuration = StickerConfiguration.Configuration()
        configuration.drops += drops
        library.policy = StorePolicy(configuration)
        _ = try library.store.sources.settleNames(configuration.drops)
    }

    private func sighting(_ drop: String, _ name: String, _ content: Int64 = 1) -> Sighting {
        Sighting(
            key: key("smart/\(name)", drop: drop),
            version: FileVersion(
                inode: UInt64(content), size: 100 + content, mtime: content, ctime: content),
            isRegularFile: true, origin: .closed)
    }

    private func publish(_ content: Int) throws {
        library.time.advance(.seconds(5))
        for job in try library.claim(9) {
            try library.finish(
                job, .made(product(content), content: hash(content)),
                drawing: TemplateDrawing(content: hash(content), next: nil))
        }
    }

    private func entries() throws -> [String] {
        try library.store.read { transaction in
            try transaction.rows("SELECT id FROM sticker WHERE entry IS NOT NULL ORDER BY id")
                .map { $0[0] }
        }
    }

    private func removeOff() throws {
        let left = try #require(try library.store.sources.unlistedShipped(["drop"]))
        #expect(try library.store.catalog.removeDrop(left.path) == left.stickers)
        _ = try library.store.catalog.expireMissing()
    }

    @Test func idsAreThoseOfTheNamesAndNobodyElses() throws {
        try library.accept(sighting("/drop", "smart clock.smart.svg"))
        try library.accept(sighting(shipped.path, "smart clock.smart.svg", 2))
        try publish(1)

        #expect(try entries() == ["smart_clock", "sticker_smart_clock"])
    }

    @Test func switchedOffTheyLeaveAndComeBackAsTheyWere() throws {
        try library.accept(sighting(shipped.path, "smart clock.smart.svg"))
        try publish(1)
        try list([])
        #expect(try library.store.sources.unlistedShipped(["drop", shipped.path]) == nil)
        #expect(try library.store.sources.unlistedDrops(["drop"]).isEmpty)
        try removeOff()
        #expect(try entries() == [] && library.store.catalog.deletionHolds().isEmpty)
        #expect(try library.store.sources.unlistedShipped(["drop"]) == nil)

        // By a release that draws it otherwise.
        try list([shipped])
        try library.accept(sighting(shipped.path, "smart clock.smart.svg", 7))
        try publish(7)

        #expect(try entries() == ["smart_clock"])
    }

    @Test func installedElsewhereTheyAreTheSame() throws {
        try library.accept(sighting(shipped.path, "smart clock.smart.svg"))
        try publish(1)
        let moved = DropFolder(path: "/usr/local/share/smart", name: shipped.name)
        try list([moved])

        try library.accept(sighting(moved.path, "smart clock.smart.svg", 7))
        try publish(7)

        #expect(try entries() == ["smart_clock"])
    }

    /// From the trash it shows for ever what it showed; its file takes its id back.
    @Test func restoredFromTheTrashItGivesItsIDBack() throws {
        try library.accept(sighting(shipped.path, "smart clock.smart.svg"))
        try publish(1)
        try list([])
        try removeOff()
        #expect(
            try library.store.operations.restore(StickerID(rawValue: "smart_clock"))
                == .done(CategoryID(rawValue: "smart")))
        #expect(try entries() == ["smart_clock"])

        try list([shipped])
        try library.accept(sighting(shipped.path, "smart clock.smart.svg", 7))
        try publish(7)

        #expect(try entries() == ["smart_clock"])
        let live = try library.store.catalog.liveProduct(
            of: key("smart/smart clock.smart.svg", drop: shipped.path))
        #expect(live?.file == hash(7))
        let without = try library.store.read { transaction in
            try transaction.count("SELECT count(*) FROM source WHERE drop_path LIKE 'trash %'")
        }
        #expect(without == 0)
    }

    // MARK: Copies in people's drops

    private func copy(_ content: Int64 = 1) -> Sighting {
        Sighting(
            key: key("mine/my clock.smart.svg", drop: "/drop"),
            version: FileVersion(
                inode: 77, size: 100 + content, mtime: content, ctime: content),
            isRegularFile: true, origin: .closed)
    }

    @Test func copyThatWasThereFirstLeavesThemTheirIDs() throws {
        try list([])
        try library.accept(copy())
        try publish(1)
        try library.accept(gone: [copy().key])
        library.time.advance(.seconds(100))
        _ = try library.store.catalog.expireMissing()
        #expect(try entries() == [])

        try list([shipped])
        try library.accept(sighting(shipped.path, "smart clock.smart.svg"))
        try publish(1)

        #expect(try entries() == ["smart_clock"])
    }

    @Test func copyThatIsMissingLeavesThemTheirIDs() throws {
        try library.accept(copy())
        try publish(1)
        try library.accept(gone: [copy().key])

        try library.accept(sighting(shipped.path, "smart clock.smart.svg"))
        try publish(1)

        #expect(try entries() == ["my_clock", "smart_clock"])
    }

    @Test func copyDoesNotTakeTheIDOfOneThatLeft() throws {
        try library.accept(sighting(shipped.path, "smart clock.smart.svg"))
        try publish(1)
        try list([])
        try removeOff()
        try library.accept(copy())
        try publish(1)
        #expect(try entries() == ["my_clock"])

        try list([shipped])
        try library.accept(sighting(shipped.path, "smart clock.smart.svg"))
        try publish(1)

        #expect(try entries() == ["my_clock", "smart_clock"])
    }

    @Test func operatorsCannotPassTheirIDs() throws {
        try library.accept(sighting(shipped.path, "smart clock.smart.svg"))
        try library.accept(copy())
        try publish(1)
        #expect(try library.store.operations.giveNewID(to: "smart_clock") == .shipped)
        try list([])
        try removeOff()

        #expect(
            try library.store.operations.pass(StickerID(rawValue: "smart_clock"), to: "my_clock")
                == .shipped)
        #expect(try entries() == ["my_clock"])
    }

    /// Before these ids were kept for them, a picture could have one: it stays that of the picture.
    @Test func pictureOfAnEarlierReleaseKeepsItsID() throws {
        try library.make("cats/tom.png", 5)
        try library.store.write { transaction in
            try transaction.run(
                "INSERT INTO sticker (id, category, sort_key, created_at) SELECT 'smart_clock', category, x'00', 1 FROM sticker"
            )
            try transaction.run("UPDATE source SET sticker = 'smart_clock'")
        }

        try library.accept(sighting(shipped.path, "smart clock.smart.svg"))
        try publish(1)

        #expect(try entries().contains("sticker_smart_clock"))
        let holder: String? = try library.store.read {
            try $0.value("SELECT sticker FROM source WHERE drop_path = '/drop'")
        }
        #expect(holder == "smart_clock")
    }

    @Test func namesOfTheFilesGiveTheIDs() throws {
        let folder = Repository.path("deploy/smart")
        let files = ShippedTemplates.files(in: folder).map { file in
            StickerName(
                fileName: Array(file.path.split(separator: "/").last.map(String.init)!.utf8))
        }

        #expect(Set(files.compactMap { Slug.make(from: $0.title) }) == ShippedTemplates.identifiers)
    }

    /// They are known to be cheap enough, on slow machines too.
    @Test func clockDrawsThemWheneverTheyChange() throws {
        try library.accept(sighting(shipped.path, "smart clock.smart.svg"))
        library.time.advance(.seconds(1))
        for _ in 0..<2 {
            let job = try #require(try library.claim().first)
            try library.finish(
                job, .made(product(1), content: hash(1)),
                drawing: TemplateDrawing(
                    content: hash(1), next: library.store.now.milliseconds + 1000),
                cpuTime: .seconds(9))
            library.time.advance(.seconds(1))
            #expect(try library.store.queue.renewTemplates() == 1)
        }
        #expect(try library.store.queue.slowTemplates(max: 9).isEmpty)
    }
}
