import Logging
import StickerTestSupport
import Testing

@testable import StickerProgram

struct LogTests {
    private let sent = WaitableValue<[[String]]>([])

    private func journal() -> Logger {
        Logger(label: "test") { [sent] _ in
            JournalLogHandler(level: .info) { fields in sent.update { $0.append(fields) } }
        }
    }

    @Test func journalEntryHasFieldsOfItsOwn() throws {
        journal().warning(
            "job refused",
            metadata: ["job.id": "42", "category": "cats", "sticker": "wave", "step": "decode"])

        let entry = try #require(sent.value.first)
        #expect(
            entry.first
                == "MESSAGE=job refused job.id=42 sticker=wave category=cats step=decode")
        #expect(
            Set(entry.dropFirst()) == [
                "PRIORITY=4", "SYSLOG_IDENTIFIER=stickerd", "STICKERD_JOB=42",
                "STICKERD_CATEGORY=cats", "STICKERD_STICKER=wave", "STICKERD_STEP=decode",
            ])
    }

    @Test(arguments: [
        (Logger.Level.error, 3), (.warning, 4), (.notice, 5), (.info, 6),
    ])
    func levelsAreThoseOfSyslog(level: Logger.Level, priority: Int) {
        journal().log(level: level, "x")

        #expect(sent.value.first?.contains("PRIORITY=\(priority)") == true)
    }

    @Test func nameCannotForgeAFieldOrALine() {
        journal().info("job completed", metadata: ["file": "a\nPRIORITY=0\nMESSAGE=\u{1B}[2J.png"])

        let fields = sent.value.first ?? []
        #expect(!fields.contains { $0.contains("\n") || $0.contains("\u{1B}") })
        #expect(fields.filter { $0.hasPrefix("PRIORITY=") } == ["PRIORITY=6"])
    }

    @Test(arguments: [
        ("a b.png", #""a b.png""#),
        ("a\nb c.png", #""a\u{a}b c.png""#),
        (#"a" reason=x"#, #""a\" reason=x""#),
        (#"a\" reason=x"#, #""a\\\" reason=x""#),
        ("a\"\u{301} reason=x", "\"a\\\"\u{301} reason=x\""),
        (#"a b\"#, #""a b\\""#),
    ])
    func nameCannotEndItsQuotes(name: String, shown: String) {
        journal().info("job completed", metadata: ["file": "\(name)"])

        #expect(sent.value.first?.first == "MESSAGE=job completed file=\(shown)")
    }

    @Test(arguments: ["", "x:y", "1:2:3", "0:0"])
    func foreignStreamIsNoJournal(stream: String) {
        #expect(!JournalLogHandler.isConnected(stream: stream))
        #expect(!JournalLogHandler.isConnected(stream: nil))
    }

    @Test func linesScrollAboveTheFoot() {
        let shown = WaitableValue("")
        let terminal = Terminal { text in shown.update { $0 += text } }

        terminal.showFoot("1 of 2")
        terminal.write("job completed")
        terminal.showFoot("")

        #expect(shown.value == "1 of 2\r\u{1B}[Kjob completed\n1 of 2\r\u{1B}[K")
    }
}
