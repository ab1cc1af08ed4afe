import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDaemon
@testable import StickerStore
@testable import StickerWatch

struct StatusLineTests {
    private func line(categories: Int = 6, _ change: (inout StatusLine) -> Void = { _ in })
        -> String
    {
        var watch = WatchStatus()
        watch.folders = categories + 1
        var line = StatusLine(
            store: StoreStatus(
                jobs: [:], waiting: 0, working: 0, needAttention: 0, reasons: [:],
                stickers: categories == 0 ? 0 : 5412, categories: categories, missing: 0,
                outdated: 0),
            watch: watch, drops: 1)
        change(&line)
        return line.text
    }

    @Test func tellsTheNumbers() {
        #expect(
            line() == "watching 6 categories · 5,412 stickers · 0 waiting · 0 need attention")
    }

    @Test func emptyDropSaysWhatToDo() {
        #expect(
            line(categories: 0)
                == "watching 0 folders, nothing to do. Make a folder in a drop to create a category."
        )
    }

    @Test func pauseComesBeforeAllElse() {
        #expect(
            line { $0.pause = "1 MB free" }
                == "PAUSED: 1 MB free · 0 jobs waiting, goes on by itself")
    }

    @Test func lostDropIsNamedOnOneLine() {
        let text = line { $0.away = ["/srv/a\nb": 208] }

        let expected =
            #" · drop /srv/a\u{a}b looks unmounted; its 208 stickers stay. Mount it again."#
        #expect(text.hasSuffix(expected))
        #expect(!text.contains("\n"))
    }

    @Test func unknownLanguageIsNamed() {
        #expect(
            line { $0.unknownLanguages = ["smart.locale: there is none"] }
                .hasSuffix(" · smart stickers are in English: smart.locale: there is none"))
    }
}
