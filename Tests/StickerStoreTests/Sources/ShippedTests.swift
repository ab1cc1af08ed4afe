import GRDB
import StickerModel
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
        var configuration = StickerModel.Configuration()
        configuration.drops += drops
        library.policy = StorePolicy(configuration)
        _ = try library.store.settleNames(configuration.drops)
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
        let left = try #require(try library.store.unlistedShipped(["drop"]))
        #expect(try library.store.removeDrop(left.path) == left.stickers)
        _ = try library.store.expireMissing()
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
        #expect(try library.store.unlistedShipped(["drop", shipped.path]) == nil)
        #expect(try library.store.unlistedDrops(["drop"]).isEmpty)
        try removeOff()
        #expect(try entries() == [] && library.store.deletionHolds().isEmpty)
        #expect(try library.store.unlistedShipped(["drop"]) == nil)

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
            try library.store.restore(StickerID(rawValue: "smart_clock"))
                == .done(CategoryID(rawValue: "smart")))
        #expect(try entries() == ["smart_clock"])

        try list([shipped])
        try library.accept(sighting(shipped.path, "smart clock.smart.svg", 7))
        try publish(7)

        #expect(try entries() == ["smart_clock"])
        let live = try library.store.liveProduct(
            of: key("smart/smart clock.smart.svg", drop: shipped.path))
        #expect(live?.file == hash(7))
        let without = try library.store.read { transaction in
            try transaction.count("SELECT count(*) FROM source WHERE drop_path LIKE 'trash %'")
        }
        #expect(without == 0)
    }
}
