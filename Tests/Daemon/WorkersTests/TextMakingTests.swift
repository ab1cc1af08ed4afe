import Foundation
import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWorkers

/// Texts come from a worker of their own.
@Suite(.needsFonts)
struct TextMakingTests {
    private func maker(_ program: String = "stickerd-worker-drawing") throws -> TextMaking {
        let fonts = try #require(TestFonts.path)
        let path = program.hasPrefix("/") ? program : Built.path(program)
        return TextMaking(
            program: DrawingProgram(path: path, fonts: fonts), worker: WorkerConfiguration())
    }

    @Test func lockedWorkerDrawsTexts() throws {
        var bordered = MarkText("mix 🎉 ok\nfjord")
        bordered.strokePixels = 4
        let texts = [MarkText("@studio"), bordered, MarkText("@studio")]

        let drawn = try maker().draw(texts)

        #expect(drawn.count == 3 && drawn[0] == drawn[2] && drawn[0] != drawn[1])
        for text in drawn {
            #expect(text.scale == 2)
            #expect(text.rows.count == text.size.pixelCount * 4)
        }
    }

    /// A letter that hangs below the baseline begins lower above it, by its own ink.
    @Test func textsTellTheirBaseline() throws {
        let drawn = try maker().draw(["x", "p", "xp", "l", "_"].map { MarkText($0) })
        let (x, p, both, l, line) = (drawn[0], drawn[1], drawn[2], drawn[3], drawn[4])

        #expect(abs(x.rise - x.size.height) <= 1, "an x stands on the baseline")
        #expect(abs(p.rise - x.rise) <= 1 && p.size.height > p.rise + 10)
        #expect(both.rise == max(x.rise, p.rise))
        #expect(l.rise > x.rise + 10 && line.rise < line.size.height / 2)
    }

    @Test func moreTextsThanAReplyHasFilesAreDrawn() throws {
        let texts = (0..<40).map { MarkText("text \($0)") }

        let drawn = try maker().draw(texts)

        #expect(Set(drawn.map(\.rows)).count == 40)
        #expect(try maker().draw([texts[33]]).first?.rows == drawn[33].rows)
    }

    @Test func nothingIsDrawnOfNothing() throws {
        #expect(try maker().draw([]) == [])
    }

    @Test func everyFaultyTextIsNamed() throws {
        var texts = [
            MarkText("fine"), MarkText("\u{200B}"), MarkText("hi"), MarkText("fine"),
            MarkText("\u{200B}"),
        ]
        texts[2].font = "Comic Sans"

        let faults = #expect(throws: TextMaking.Faults.self) { try maker().draw(texts) }

        #expect(faults?.faults.map(\.index) == [1, 2, 4])
        #expect(faults?.faults[0].message.hasPrefix("nothing of the text is visible") == true)
        #expect(faults?.faults[1].message.contains("use one of: Inter, Noto Color Emoji") == true)
        #expect(faults?.description.hasPrefix("text 2: nothing of the text") == true)
    }

    @Test func textWithoutAFontIsDrawnAndTold() throws {
        let drawn = try maker().draw([MarkText("fine"), MarkText("a\u{10FFFD}")])

        #expect(drawn.map(\.unknown?.text) == [nil, "\u{10FFFD}"])
    }

    @Test func fontsAreLookedFor() throws {
        let maker = WorkerMaking(program: Built.path("stickerd-worker")) { .init() }
        func fault(_ text: String) throws -> String? {
            try maker.fontFault(of: Array(text), limits: DecodeLimits())?.detail
        }

        #expect(try fault("") == nil)
        #expect(try fault(" \u{200B}\u{7}") == nil)
        #expect(try fault("Donnerstag, 24. Dezember, −7°") == nil)
        #expect(try fault("\u{10FFFD}<&'\u{378}") == "no font has U+0378, U+10FFFD")
        #expect(maker.fontsText.contains("Inter-Bold.otf "))
    }

    // MARK: Where it is found

    @Test func programAndFontsAreFoundBesideTheWorker() throws {
        let found = try DrawingProgram.find(beside: Built.path("stickerd-worker"))

        #expect(found.fonts == TestFonts.path)
        #expect(found.path == Built.path("stickerd-worker-drawing"))
    }

    @Test func installedFontsAreFoundInTheShareOfThePrefix() throws {
        let folder = try TemporaryFolder()
        let prefix = URL(filePath: folder.path("usr"))
        for path in ["libexec", "share/stickerd/fonts"] {
            try FileManager.default.createDirectory(
                at: prefix.appending(path: path), withIntermediateDirectories: true)
        }
        let worker = prefix.appending(path: "libexec/stickerd-worker").path

        let none = #expect(throws: WorkerUnavailable.self) {
            try DrawingProgram.find(beside: worker)
        }
        try FileManager.default.createSymbolicLink(
            atPath: worker + "-drawing",
            withDestinationPath: Built.path("stickerd-worker-drawing"))
        let noFonts = #expect(throws: WorkerUnavailable.self) {
            try DrawingProgram.find(beside: worker)
        }
        let fonts = prefix.appending(path: "share/stickerd/fonts").resolvingSymlinksInPath()
        try Data().write(to: fonts.appending(path: "fonts.conf"))

        #expect(none?.description.contains("install all of stickerd") == true)
        #expect(noFonts?.description.contains("run share/stickerd/fonts.sh") == true)
        #expect(try DrawingProgram.find(beside: worker).fonts == fonts.path)
    }

    // MARK: What it is not believed

    private func hostile(_ command: String) throws -> WorkerUnavailable? {
        let maker = try maker("hostile-worker")
        return #expect(throws: WorkerUnavailable.self) { try maker.draw([MarkText(command)]) }
    }

    @Test(arguments: [
        "abort", "exit-0", "exit-71", "no-files", "not-json", "deep-json", "unsealed",
        "too-many-files", "unknown-message", "twice", "files-alone", "not-a-webp",
    ])
    func lieIsNoText(lie: String) throws {
        let error = try hostile(lie)

        #expect(error?.description.hasPrefix("texts were not drawn: ") == true)
    }

    @Test func waitingIsBounded() throws {
        let maker = TextMaking(
            program: DrawingProgram(
                path: Built.path("hostile-worker"), fonts: try #require(TestFonts.path)),
            worker: WorkerConfiguration(), limits: DecodeLimits())

        let error = #expect(throws: WorkerUnavailable.self) { try maker.draw([MarkText("hang")]) }

        #expect(
            error?.description.contains("it took 10 s without any CPU time after decode") == true)
    }

    // MARK: Its fonts

    @Test func ordinaryWorkerTakesNoFonts() throws {
        for program in ["stickerd-worker", "stickerd-worker-formats", "stickerd-worker-heic"] {
            let maker = try maker(program)
            let error = #expect(throws: WorkerUnavailable.self) { try maker.draw([MarkText("a")]) }
            #expect(error?.description.contains("the command line of its own release") == true)
        }
    }

    /// Fontconfig wants to renew it, and goes on when that is refused.
    @Test func cacheThatIsOutOfDateIsDoneWithout() throws {
        let folder = try TemporaryFolder()
        let copy = folder.path("fonts")
        try FileManager.default.copyItem(
            atPath: try #require(TestFonts.path), toPath: copy)
        let maker = TextMaking(
            program: DrawingProgram(path: Built.path("stickerd-worker-drawing"), fonts: copy),
            worker: WorkerConfiguration())

        let drawn = try maker.draw([MarkText("mix 🎉 ok")])

        #expect(drawn == (try self.maker().draw([MarkText("mix 🎉 ok")])))
        try FileManager.default.removeItem(atPath: "\(copy)/cache")
        #expect(drawn == (try maker.draw([MarkText("mix 🎉 ok")])))
    }
}

/// A reply about texts is taken apart without trust.
struct TextReplyAuditTests {
    private func audit(
        _ json: String, _ files: [[UInt8]] = [], count: Int = 1
    ) throws -> [Result<DrawnText, TextReplyAudit.TextFault>] {
        let received = try ([Array(json.utf8)] + files).map { try MemoryFile($0) }
        return try TextReplyAudit(count: count).texts(of: received)
    }

    private static func text(
        _ width: Int, _ height: Int, scale: String = "2", rise: Int = 1
    ) -> String {
        #"{"texts":[{"size":{"width":\#(width),"height":\#(height)},"scale":\#(scale),"rise":\#(rise)}]}"#
    }

    @Test func charactersAreTakenWithoutWhatShowsNothing() throws {
        let json =
            #"{"texts":[{"size":{"width":1,"height":1},"scale":2,"rise":1,"unknown":"世\u200b世"}]}"#

        #expect(try audit(json, [[1, 2, 3, 4]])[0].get().unknown?.text == "世")
    }

    @Test func goodReplyIsTaken() throws {
        let texts = try audit(Self.text(2, 1), [[1, 2, 3, 4, 5, 6, 7, 8]])

        #expect(try texts[0].get().rows == Data([1, 2, 3, 4, 5, 6, 7, 8]))
        #expect(try texts[0].get().rise == 1)
    }

    @Test(arguments: [
        (text(2, 1), [[UInt8](repeating: 0, count: 4)]), (text(2, 1), [[], []]), (text(2, 1), []),
        (text(2, 1), [[UInt8](repeating: 0, count: 9)]), (text(0, 1), [[0]]),
        (text(-1, -1), [[0, 0, 0, 0]]), (text(3000, 1), [[UInt8](repeating: 0, count: 12000)]),
        (text(.max, .max), [[0]]), (text(1, 1, scale: "0"), [[0, 0, 0, 0]]),
        (text(1, 1, rise: 5000), [[0, 0, 0, 0]]), (text(1, 1, rise: .min), [[0, 0, 0, 0]]),
        (#"{"texts":[{"size":{"width":1,"height":1},"scale":2}]}"#, [[0, 0, 0, 0]]),
        (text(1, 1, scale: "-1"), [[0, 0, 0, 0]]), (text(1, 1, scale: "2.5"), [[0, 0, 0, 0]]),
        (#"{"texts":[]}"#, []), (#"{"texts":[{}]}"#, []),
        (#"{"texts":[{"fault":"a","scale":1}]}"#, []),
        (#"{"texts":[{"fault":"a"},{"fault":"b"}]}"#, []),
        (#"{"texts":[{"fault":"a"}]}"#, [[0, 0, 0, 0]]),
    ])
    func replyThatIsWrongInAnythingIsNotTaken(json: String, files: [[UInt8]]) {
        #expect(throws: ReplyAudit.Fault.self) { try audit(json, files) }
    }

    @Test func wordsAreCutAndEscaped() throws {
        let long = String(repeating: "a", count: 5000)

        let texts = try audit(#"{"texts":[{"fault":"\u001b[31m\#(long)"}]}"#)

        guard case .failure(let fault) = texts[0] else {
            Issue.record("\(texts)")
            return
        }
        #expect(fault.message.utf8.count < 1100 && !fault.message.contains("\u{1B}"))
    }
}
