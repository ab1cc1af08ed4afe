import Foundation
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

struct ConfigurationChangesTests {
    @Test func settingsHaveEveryKeyOfTheShippedFile() throws {
        let shipped = try JSONSerialization.jsonObject(with: Repository.data("config.json"))
        var keys: Set<String> = []
        collect(shipped, path: "", into: &keys)
        keys.remove("categories")
        // Those of other programs, which read them at their start: the daemon does not follow them.
        keys = keys.filter { key in
            !["web.", "console.", "personal."].contains { key.hasPrefix($0) }
        }

        #expect(Set(Configuration().settings.keys) == keys)
    }

    private func collect(_ value: Any, path: String, into keys: inout Set<String>) {
        guard let object = value as? [String: Any], !["categories", "sticker.words"].contains(path)
        else {
            keys.insert(path)
            return
        }
        for (key, member) in object {
            collect(member, path: path.isEmpty ? key : "\(path).\(key)", into: &keys)
        }
    }

    @Test func equalConfigurationsHaveNoChanges() {
        #expect(Configuration().changes(to: Configuration()).isEmpty)
    }

    @Test func changesNameKeyOldAndNew() {
        var newer = Configuration()
        newer.watch.settleSeconds = 2.5
        newer.sticker.marginPixels = 8
        newer.drops = ["a", DropFolder(path: "b", name: "art")]

        let changes = Configuration().changes(to: newer)

        #expect(
            changes.map { "\($0.key) \($0.old) \($0.new) \($0.needsRestart)" } == [
                #"drops ["drop"] ["a", art at "b"] true"#, "sticker.marginPixels 0 8 false",
                "watch.settleSeconds 1 2.5 false",
            ])
    }

    @Test func newCategoryIsComparedWithTheCommonSettings() {
        var newer = Configuration()
        newer.categories["cats\n"] = newer.sticker
        newer.categories["cats\n"]?.qualityMin = 50
        newer.categories["cats\n"]?.outline.pixels = 8

        #expect(
            Configuration().changes(to: newer).map(\.key) == [
                #"categories.cats\u{a}.outline.pixels"#, #"categories.cats\u{a}.qualityMin"#,
            ])
    }

    @Test func anotherContentOfTheProfileIsAChange() {
        var (first, second) = (Configuration(), Configuration())
        first.color.cmykProfile = .read(hash: String(repeating: "1", count: 64))
        second.color.cmykProfile = .read(hash: String(repeating: "2", count: 64))

        let changes = Configuration().changes(to: first) + first.changes(to: second)

        #expect(
            changes.map { "\($0.key) \($0.old) \($0.new) \($0.needsRestart)" } == [
                #"color.cmykProfile - "/inks.icc" (111111111111…) false"#,
                #"color.cmykProfile "/inks.icc" (111111111111…) "/inks.icc" (222222222222…) false"#,
            ])
    }

    @Test func recordOfAReleaseWithoutAKeyIsNoChange() {
        var older = Configuration().settings
        older["color.cmykProfile"] = nil

        #expect(Configuration.changes(from: older, to: Configuration().settings).isEmpty)
    }

    @Test func listsAreShownWhole() {
        let settings = Configuration().settings

        #expect(settings["queue.retrySeconds"] == "[2, 8, 30, 120, 600]")
        #expect(settings["sticker.thumbnails"] == "[144 png, 96 webp]")
        #expect(settings["watch.backend"] == "auto")
        #expect(settings["publish.publicBaseURL"] == #""""#)
    }
}
