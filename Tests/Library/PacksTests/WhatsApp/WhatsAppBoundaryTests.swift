import StickerPacks
import StickerValues
import Testing

/// The last value that passes, and the first that fails.
struct WhatsAppBoundaryTests {
    private typealias App = WhatsAppValidator.App

    private func broken(
        _ app: WhatsAppValidator.App, moving: Bool = false, _ change: (inout TestApp) throws -> Void
    ) rethrows -> Set<String> {
        var changed = TestApp(app, moving: moving)
        try change(&changed)
        return changed.brokenRules
    }

    /// No WebP of an odd length is right, so that the byte too many belongs to no chunk.
    @Test(arguments: App.allCases, [(false, 102_400), (true, 512_000)])
    func bytes(app: WhatsAppValidator.App, limit: (moving: Bool, bytes: Int)) {
        let file = limit.moving ? TestSticker.moving : TestSticker.still
        let full = TestSticker.padded(file, to: limit.bytes)

        #expect(full.count == limit.bytes)
        #expect(broken(app, moving: limit.moving) { $0.file = full } == [])
        #expect(broken(app, moving: limit.moving) { $0.file = full + [0] } == ["V12", "C1"])
    }

    @Test(arguments: App.allCases) func times(app: WhatsAppValidator.App) throws {
        let cases: [([Int], Set<String>)] = [
            ([8, 100], []), ([7, 100], ["V14"]), ([5000, 5000], []), ([5000, 5001], ["V14"]),
        ]
        for (times, expected) in cases {
            let file = try TestSticker.moving(times)
            #expect(broken(app, moving: true) { $0.file = file } == expected)
        }
    }

    @Test(arguments: App.allCases, [(2, false), (3, true), (30, true), (31, false)])
    func counts(app: WhatsAppValidator.App, count: (stickers: Int, isRight: Bool)) {
        let rules = TestApp(app, count: count.stickers).brokenRules
        #expect(rules == (count.isRight ? [] : ["V09"]))
    }

    @Test(arguments: App.allCases) func trayBytes(app: WhatsAppValidator.App) {
        #expect(broken(app) { $0.tray = TestSticker.png(96, 96, bytes: 51_200) } == [])
        #expect(broken(app) { $0.tray = TestSticker.png(96, 96, bytes: 51_201) } == ["V08"])
    }

    @Test(arguments: [(24, 512, true), (512, 24, true), (23, 96, false), (96, 513, false)])
    func traySides(width: Int, height: Int, isRight: Bool) {
        let rules = broken(.android) { $0.tray = TestSticker.png(width, height) }
        #expect(rules == (isRight ? [] : ["V08"]))
    }

    /// The last is one character of 8 UTF-16 units.
    @Test(arguments: [("a", 128, 128), ("😀", 64, 128), ("👨‍👩‍👧", 16, 128)])
    func words(letter: String, unitsMost: Int, charactersMost: Int) {
        for (app, most) in [(App.android, unitsMost), (.ios, charactersMost)] {
            let full = String(repeating: letter, count: most)
            #expect(broken(app) { $0.pack["name"] = .string(full) } == [])
            #expect(broken(app) { $0.pack["name"] = .string(full + "a") } == ["V03"])
        }
    }

    @Test(arguments: App.allCases, [(false, 125), (true, 255)])
    func accessibilityTexts(app: WhatsAppValidator.App, limit: (moving: Bool, length: Int)) {
        for (length, expected) in [(limit.length, []), (limit.length + 1, ["V11"])] {
            let text = String(repeating: "a", count: length)
            let rules = broken(app, moving: limit.moving) {
                $0.sticker["accessibility_text"] = .string(text)
            }
            #expect(rules == Set(expected))
        }
    }

    @Test func threeEmojisPassBesideEmptyOnes() {
        #expect(broken(.android) { $0.sticker["emojis"] = ["😀", "", "😁", "😂"] } == [])
        #expect(broken(.ios) { $0.sticker["emojis"] = ["😀", "", "😁", "😂"] } == ["V10"])
    }

    @Test func oneFrameIsNoAnimation() throws {
        let file = try TestSticker.oneFrame()
        for app in App.allCases { #expect(broken(app) { $0.file = file } == []) }
    }
}
