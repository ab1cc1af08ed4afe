import Foundation
import StickerTestSupport
import StickerValues
import Testing

/// Verbs about stickers and uploads, wrong usage, and the form of the output.
struct VerbTests {
    private let desk: Operator

    init() throws { desk = try Operator() }

    @Test func explainSaysWhatWasChosenTriedAndWouldHelp() throws {
        try desk.made("cats/wave.png")

        let lines = try desk.ask("explain", "wave").lines

        #expect(lines[1] == "  chosen    a still of 96,412 B, lossy at quality 82.5.")
        #expect(lines[2].hasPrefix("  tried     2 encodings for at most 99,000 B: lossless"))
        #expect(lines.contains { $0.hasPrefix("  better    a simpler picture") })
        #expect(lines.last == "  log       stickerctl show 1")
    }

    @Test(arguments: [
        (Encoding(mode: .lossless), "nothing: no visible pixel"),
        (Encoding(mode: .nearLossless, quality: 60), "hardly anything: smooth areas are"),
    ])
    func explainPromisesNoMoreThanTheEncodingKeeps(encoding: Encoding, help: String) throws {
        try desk.made("cats/wave.png", encoding: encoding)

        #expect(try desk.ask("explain", "wave").text.contains("better \(help)"))
    }

    @Test func explainOfARefusedFileEndsWithItsRemedy() throws {
        let job = try desk.refused("cats/wave.gif", .tooComplex)

        let output = try desk.ask("explain", "cats/wave.gif").output

        #expect(output.contains("nothing is published"))
        #expect(output.contains("shorten it; then: stickerctl retry \(job)"))
    }

    @Test func explainOfAFileThatWaitsSaysSo() throws {
        try desk.waiting("cats/wave.png")

        let text = try desk.ask("explain", "cats/wave.png").text

        #expect(text.contains("tried nothing yet. better it is on its way, see: stickerctl show"))
    }

    @Test func explainOfAFileThatIsGoneSaysWhatKeepsTheSticker() throws {
        try desk.made("cats/wave.png")
        try desk.gone("cats/wave.png")

        let text = try desk.ask("explain", "wave").text

        #expect(text.contains("chosen a still of 96,412 B"))
        #expect(text.contains("better its file is gone and it leaves after"))
    }

    @Test(arguments: ["cats/wave.png", "wave.png"])
    func explainOfAFormerNameSaysWhatItIsNow(name: String) throws {
        try desk.made("cats/wave.png")
        try desk.gone("cats/wave.png")
        try desk.made("cats/wave.webp", content: 2)

        let answer = try desk.ask("explain", name)

        #expect(answer.lines.first == "cats/wave.png is now cats/wave.webp, sticker wave.")
        #expect(answer.code == 0 && answer.lines.dropFirst().first == "wave (cats/wave.webp)")
    }

    /// As a shell completes it.
    @Test(arguments: [
        ("", "drop/cats/wave.gif"), ("", "./drop/cats/wave.gif"), ("drop/cats", "wave.gif"),
        ("out", "../drop/cats/wave.gif"), ("", "drop/loose.gif"), ("drop", "loose.gif"),
    ])
    func fileIsNamedFromTheFolderOfTheOperator(folder: String, path: String) throws {
        try desk.folder.makeFolder("drop/cats")
        try desk.refused("cats/wave.gif")
        try desk.refused("loose.gif")
        // The same names elsewhere are others.
        try desk.refused("dogs/wave.gif")
        try desk.refused("dogs/loose.gif")

        for verb in [["explain"], ["dismiss", "--dry-run"], ["jobs", "--file"]] {
            let answer = try desk.ask(verb + [path], folder: desk.folder.path(folder))
            #expect(answer.code == 0, "\(verb): \(answer.errors)")
            let name = (path as NSString).lastPathComponent
            #expect(answer.output.contains(name), "\(verb): \(answer.output)")
            #expect(!answer.output.contains("dogs/"), "\(verb): \(answer.output)")
        }
    }

    @Test func explainOfAStrangerFailsWithAHint() throws {
        let answer = try desk.ask("explain", "nobody")

        #expect(answer.code == 1 && answer.errors.contains("nothing is known of nobody"))
    }

    @Test func missingPictureIsOneSentence() throws {
        let answer = try desk.ask("convert", "missing.png", desk.folder.path("out.webp"))

        #expect(answer.code == 1)
        #expect(
            answer.errors
                == "missing.png cannot be read: No such file or directory; is its name right?\n")
    }

    @Test func namesAreNoCommands() throws {
        try desk.configure(#""personal": { "drop": "uploads", "private": "private" }"#)
        try desk.refused("ada/stickerctl show.gif")
        symlink("state", desk.folder.path("state-personal"))

        let jobs = try desk.ask("jobs", "--personal")
        let json = try desk.ask("jobs", "--json", "--personal")

        #expect(jobs.output.contains("ada/stickerctl show.gif"))
        #expect(jobs.output.contains("let go: stickerctl --personal dismiss 1"))
        #expect(try json.output == desk.ask("jobs", "--json").output)
    }

    @Test func libraryOfUploadsSaysNothingOfTheWeather() throws {
        try desk.configure(
            #""personal": { "drop": "uploads", "private": "private" }, "#
                + #""smart": { "weather": { "latitude": 52.5, "longitude": 13.4 } }"#)
        try desk.made("ada/a.png")
        symlink("state", desk.folder.path("state-personal"))

        #expect(try desk.ask("status").output.contains("weather"))
        #expect(try !desk.ask("status", "--personal").output.contains("weather"))
    }

    @Test(arguments: [
        (["statsu"], "there is no verb statsu; did you mean: stickerctl status\n"),
        (["--personal", "dissmiss", "3"], "did you mean: stickerctl --personal dismiss\n"),
        (
            ["trash", "resotre", "wave"],
            "there is no verb trash resotre; did you mean: stickerctl trash restore\n"
        ),
        (["qqqqqqqq"], "there is no verb qqqqqqqq; see: stickerctl --help\n"),
        (["redo"], "name the files or stickers to make again, or choose --outdated or --wrong"),
    ]) func wrongVerbsAreNamed(_ arguments: [String], _ sentence: String) throws {
        let answer = try Operator.run("stickerctl", arguments)

        #expect(answer.code == 2 && answer.errors.contains(sentence), "\(answer)")
    }

    @Test func importOfNothingSaysSo() throws {
        let answer = try desk.ask("import", "/nosuch")

        #expect(answer.code == 1 && answer.errors == "there is no /nosuch\n")
    }

    @Test func usageIsATable() throws {
        try desk.made("cats/wave.png")

        let lines = try desk.ask("usage").lines

        #expect(lines[0].hasPrefix("category"))
        #expect(lines[1].hasPrefix("cats") && lines[1].contains("96.4 KB"))
    }

    @Test(arguments: [
        ["status"], ["jobs"], ["show", "1"], ["show", "2"], ["explain", "1"], ["usage"], ["plan"],
        ["retry", "--all", "--dry-run"], ["dismiss", "1"], ["pause"], ["check"],
        ["follow", "--since", "1h", "--limit", "2"],
    ])
    func textFitsEightyColumnsAndControlsNoTerminal(arguments: [String]) throws {
        let name = String(repeating: "長い名前🐈", count: 12) + "\u{1B}[2J\n"
        try desk.made("cats/\(name)a.png")
        try desk.refused("cats/\(name)b.gif")

        let lines = try Operator.runOnTerminal(
            arguments + ["--config", desk.folder.path("config.json")])

        #expect(!lines.isEmpty && !lines.joined().contains("\u{1B}"))
        for line in lines where !line.contains(desk.folder.path) && line.contains(" ") {
            #expect(width(of: line) <= 80, "\(line)")
        }
    }

    @Test func pipeReceivesWholeLines() throws {
        let name = String(repeating: "long name ", count: 12) + ".gif"
        try desk.refused("cats/\(name)")

        let lines = try desk.ask("jobs").lines

        #expect(lines[0].hasSuffix("cats/\(name)") && !lines[0].contains("…"))
    }

    /// Columns, counted generously for what the names above hold.
    private func width(of line: String) -> Int {
        line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x2E80 ? 2 : 1) }
    }
}
