import StickerPacks
import StickerTestSupport
import StickerValues
import Testing

/// Our port of WhatsApp's validators against apps that break one rule each.
struct WhatsAppValidatorTests {
    @Test(arguments: WhatsAppValidator.App.allCases, [false, true])
    func goodAppHasNoFindings(app: WhatsAppValidator.App, moving: Bool) {
        #expect(TestApp(app, moving: moving).findings() == [])
    }

    @Test(arguments: CounterExample.all) func counterExampleBreaksItsRuleOnly(
        example: CounterExample
    ) throws {
        #expect(try example.spoiled().brokenRules == [example.rule.rawValue])
    }

    @Test func everyRuleHasACounterExample() {
        #expect(Set(CounterExample.all.map(\.rule)) == Set(WhatsAppValidator.Rule.allCases))
    }

    @Test(arguments: CounterExample.all) func findingSaysWhatAPersonNeeds(
        example: CounterExample
    ) throws {
        let isAboutTheWhole: Set<WhatsAppValidator.Rule> = [.p1, .p2, .l2, .v04, .v05]
        for finding in try example.spoiled().findings() {
            #expect(finding.measured?.isEmpty == false && finding.limit?.isEmpty == false)
            #expect(!finding.detail.isEmpty && !finding.remedy.isEmpty && finding.file != nil)
            #expect((finding.pack == nil) == isAboutTheWhole.contains(example.rule))
        }
    }

    @Test func faultsAreReportedTogether() {
        var app = TestApp(.android)
        app.pack["publisher"] = ""
        app.top["ios_app_store_link"] = "https://apps.apple.com/app/id1"
        app.file = TestSticker.padded(TestSticker.moving, to: 200_000)
        app.stickers[1]["emojis"] = []
        app.stickers[2]["image_file"] = "away.webp"

        #expect(app.findings().map(\.rule) == ["P3", "V05", "V12", "V15", "V10", "L3"])
    }

    @Test func findingNamesPackFileLineAndFigures() throws {
        var app = TestApp(.android)
        app.file?.append(contentsOf: [UInt8](repeating: 0, count: 102_400))
        app.stickers[1]["emojis"] = []
        let findings = app.findings()

        let size = try #require(findings.first { $0.rule == "V12" })
        #expect(size.pack == "cats" && size.file == "cats/0.webp" && size.severity == .fault)
        #expect(size.measured == "\(app.file?.count ?? 0) bytes" && size.limit == "102400 bytes")
        let emoji = try #require(findings.first { $0.rule == "V10" })
        #expect(emoji.file == "cats/1.webp")
        #expect(
            emoji.detail.hasSuffix(
                "(sticker_packs[0].stickers[1].emojis, line 14 of contents.json)"))
    }

    @Test func stickerThatCannotBeReadIsCounted() {
        var app = TestApp(.android, count: 2)
        let stickers = app.stickers.map { JSONValue.object(JSONObject(byKey: $0)) }
        app.pack["stickers"] = .array(stickers + ["third"])

        #expect(app.brokenRules == ["P5"])
    }

    /// The statements of a file are never trusted.
    @Test func damagedFilesAreJudged() {
        var numbers = SeededGenerator(seed: 11)
        let good = TestApp(.android, moving: true)
        for _ in 0..<3000 {
            var app = TestApp(.android, moving: true, count: 1)
            let name = ["0.webp", "tray.png"].randomElement(using: &numbers) ?? ""
            guard var file = good.files[name] else { return }
            for _ in 0..<3 {
                file[.random(in: 0..<min(120, file.count), using: &numbers)] = .random(
                    in: 0...255, using: &numbers)
            }
            app.files[name] = Array(file.prefix(.random(in: 1...file.count, using: &numbers)))

            #expect(app.brokenRules.contains("V09"))
        }
    }

    @Test func metadataIsAWarning() {
        var app = TestApp(.android)
        app.file = TestSticker.adding("XMP ", [60, 62], flag: 0x04, to: TestSticker.still)

        #expect(app.findings().map(\.severity) == [.warning])
    }

    @Test func unknownKeysOfAPackAreSkipped() {
        var app = TestApp(.android)
        app.pack["shape"] = .null
        #expect(app.findings() == [])

        app.pack["avoid_cache"] = .bool(true)
        app.pack["publisher_email"] = ""
        app.top["android_play_store_link"] = ""
        #expect(app.findings() == [])
    }

    @Test func iosReadsLessThanAndroid() {
        var app = TestApp(.ios)
        app.pack["image_data_version"] = nil
        app.pack["publisher_website"] = "www.example.org"
        app.pack["publisher_email"] = .null
        app.top["version"] = .integer(1)
        app.sticker["emojis"] = nil
        app.sticker["mood"] = "merry"
        app.file = TestSticker.png(512, 512)
        app.rename(stickerTo: "0.png")

        #expect(app.findings() == [])
    }

    @Test func goodLinksPass() {
        var app = TestApp(.android)
        app.top["android_play_store_link"] = "https://play.google.com/store/apps/details?id=a.b"
        app.top["ios_app_store_link"] = "https://itunes.apple.com/app/id1"
        app.pack["publisher_website"] = "HTTP://example.org:8080"
        app.pack["publisher_email"] = "jo+cats@mail.example.org"

        #expect(app.findings() == [])
    }
}
