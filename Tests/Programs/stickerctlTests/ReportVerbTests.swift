import Foundation
import Glibc
import StickerConfiguration
import StickerStore
import StickerTestSupport
import StickerValues
import Testing

/// `stickerctl report`: one file for maintainers, whatever state the library is in.
struct ReportVerbTests {
    private static let sections = [
        "Versions", "Status", "Jobs", "Configuration", "Configuration that the daemon runs with",
        "Sandbox", "Folders", "Machine", "Services", "Log",
    ]

    private let desk: Operator
    private var path: String { desk.folder.path("report.txt") }

    init() throws { desk = try Operator() }

    /// Writes a report, and reads it.
    private func report(_ arguments: String...) throws -> (answer: Operator.Answer, text: String) {
        let answer = try desk.ask(["report", "--to", path] + arguments)
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        return (answer, String(decoding: bytes, as: UTF8.self))
    }

    /// The lines below a heading.
    private func section(_ title: String, of text: String) -> String {
        let rest = text.components(separatedBy: "\n## \(title)\n").dropFirst().first ?? ""
        return rest.components(separatedBy: "\n## ")[0]
    }

    private func headings(of text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
    }

    @Test func reportHasWhatAMaintainerAsksFor() throws {
        let job = try desk.refused("cats/wave.gif")
        try desk.made("cats/ok.png")
        try desk.configure(#""sticker": { "marginPixels": 8 }"#)

        let (answer, text) = try report()

        #expect(answer.code == 0, "\(answer)")
        #expect(answer.output == "\(path): read it before you send it\n")
        #expect(headings(of: text) == Self.sections)
        #expect(section("Versions", of: text).contains("stickerctl \(Stickerd.version) in /"))
        #expect(section("Versions", of: text).contains("libwebp.so"))
        #expect(section("Versions", of: text).contains("libsqlite3.so"))
        #expect(section("Status", of: text).contains("stickerd does not run"))
        #expect(section("Status", of: text).contains("1 sticker in"))
        #expect(section("Jobs", of: text).contains("1 of 1 that need attention"))
        #expect(section("Jobs", of: text).contains("job \(job)  needs attention"))
        #expect(section("Jobs", of: text).contains("shorten it"))
        #expect(section("Configuration", of: text).contains("\n* sticker.marginPixels = 8\n"))
        #expect(section("Configuration", of: text).contains("\n  workers = 0\n"))
        #expect(section("Sandbox", of: text).contains("worker    one that this command started is"))
        #expect(section("Folders", of: text).contains("drop     \(desk.folder.path("drop")): user"))
        #expect(section("Folders", of: text).contains("stickerd.sqlite: "))
        #expect(section("Machine", of: text).contains("fs/inotify/max_user_watches: "))
        #expect(!text.contains("\u{1B}") && text.utf8.count < 1 << 20)
        var status = Glibc.stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    }

    @Test func jobIsThereWithItsStepsAndItsSticker() throws {
        try desk.made("cats/ok.png")
        try desk.refused("cats/wave.gif")

        let text = try report("cats/ok.png").text

        let job = section("Job", of: text)
        #expect(job.contains("scaled to 512x512"))
        #expect(job.contains("96,412"))
        #expect(job.contains("The sticker:") && job.contains("  chosen    "))
        #expect(!text.contains("wave.gif"))
    }

    @Test func noSecretOfTheConfigurationIsInIt() throws {
        let marker = "MARKER_0123456789"
        for name in ["web", "console", "weather", "cats"] {
            try desk.folder.write(Array("\(marker)_\(name)\n".utf8), to: "\(name).key")
        }
        let hash = String(repeating: "c0ffee00", count: 8)
        try desk.folder.write(Array("ann \(hash)\n".utf8), to: "tokens")
        try desk.configure(
            """
            "web": { "keys": ["\(marker)_inline"], "keysFile": "web.key",
                "publicURL": "https://ann:\(marker)@stickers.example/",
                "upstreams": { "cats": { "title": "Cats", "keyFile": "cats.key",
                    "url": "https://cats.example" } } },
            "publish": { "publicBaseURL": "https://ann:\(marker)@cdn.example/" },
            "console": { "tokenFile": "console.key" },
            "personal": { "drop": "uploads", "tokensFile": "tokens" },
            "smart": { "weather": { "keyFile": "weather.key" } }
            """)
        try desk.refused("cats/\(marker)_inline.gif")
        try desk.refused("cats/\(marker)_web.gif")

        let (answer, text) = try report()

        #expect(answer.code == 0)
        #expect(!text.contains(marker), "\(text)")
        #expect(!text.contains(hash))
        #expect(text.contains("* web.keys = (not shown)"))
        #expect(text.contains("web.keysFile = \"\(desk.folder.path("web.key"))\""))
        #expect(text.contains("https://(not shown)@stickers.example/"))
        #expect(text.contains("cats/(not shown).gif"))
    }

    @Test func faultyConfigurationShowsNoSecret() throws {
        try desk.configure(
            #""web": { "keys": ["MARKER 1"], "token": "MARKER" }, "console": { "tokenFile": 1 }"#)

        let text = try report().text

        #expect(!text.contains("MARKER"))
        #expect(section("Configuration", of: text).contains("FAULT web.keys: "))
        #expect(section("Configuration", of: text).contains("FAULT web.token: unknown key"))
    }

    /// The keys of a file that is no JSON are hidden wherever they are, in the name of a picture for example.
    @Test func brokenConfigurationShowsNoSecret() throws {
        _ = try desk.refused("cats/MARKERkey1.gif")
        let broken = #"""
            { "drops": ["\#(desk.folder.path("drop"))"], "out": "\#(desk.folder.path("out"))",
              "state": "\#(desk.folder.path("state"))"
              "web": { "keys": ["MARKERkey1", "MARKERkey2"], "keysFile": "MARKERkey3" } }
            """#
        try desk.folder.write(Array(broken.utf8), to: "config.json")

        let (_, text) = try report()

        #expect(text.contains("cats/(not shown).gif"), "\(text)")
        #expect(!text.contains("MARKERkey"), "\(text)")
    }

    @Test(arguments: ["damaged", "missing", "not JSON", "no configuration"])
    func partsThatCannotBeHadAreSaid(trouble: String) throws {
        try desk.store.close()
        let database = desk.folder.path("state/\(LibraryStore.fileName)")
        switch trouble {
        case "damaged":
            try desk.folder.write([UInt8](repeating: 65, count: 5000), to: "state/stickerd.sqlite")
        case "missing": try FileManager.default.removeItem(atPath: database)
        case "not JSON": try desk.folder.write(Array("{ MARKER".utf8), to: "config.json")
        default: try FileManager.default.removeItem(atPath: desk.folder.path("config.json"))
        }

        let (answer, text) = try report()

        #expect(answer.code == 0, "\(answer)")
        #expect(headings(of: text) == Self.sections)
        #expect(
            section("Status", of: text).contains("this is missing: ") == (trouble != "not JSON"))
        #expect(section("Machine", of: text).contains("MemTotal"))
        let isConfigured = trouble != "no configuration"
        #expect(section("Configuration", of: text).contains(" = ") == isConfigured)
        #expect(!text.contains("MARKER"))
    }

    @Test func nothingIsOverwritten() throws {
        try desk.folder.write(Array("mine".utf8), to: "report.txt")
        let link = desk.folder.path("link.txt")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")

        let (answer, text) = try report()
        let linked = try desk.ask("report", "--to", link)

        #expect(answer.code == 1 && linked.code == 1)
        #expect(answer.errors.contains("is there already; name another file with --to"))
        #expect(text == "mine")
        #expect(!FileManager.default.fileExists(atPath: desk.folder.path("nowhere")))
    }

    @Test func fileHasATimeInItsNameUnlessGiven() throws {
        try desk.folder.makeFolder("here")

        let answer = try desk.ask(["report"], folder: desk.folder.path("here"))

        let names = try FileManager.default.contentsOfDirectory(atPath: desk.folder.path("here"))
        #expect(answer.code == 0)
        #expect(names.count == 1)
        #expect(names.first?.wholeMatch(of: /stickerd-report-\d{8}T\d{6}Z\.txt/) != nil)
    }

    @Test func unknownJobWritesNothing() throws {
        let unknown = try report("77")
        let several = try desk.ask("report", "--to", path, "--with-picture")

        #expect(unknown.answer.code == 1)
        #expect(unknown.answer.errors.contains("there is no job 77; see: stickerctl jobs"))
        #expect(several.code == 2)
        #expect(several.errors.contains("--with-picture needs the job whose picture it is"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    // MARK: Pictures

    @Test func pictureIsInItIfItIsWanted() throws {
        let picture = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * $0) }
        try desk.folder.write(picture, to: "drop/cats/wave.gif")
        try desk.refused("cats/wave.gif")

        let (answer, text) = try report("wave", "--with-picture")

        let bytes = try Data(contentsOf: URL(filePath: path))
        #expect(answer.code == 0, "\(answer)")
        #expect(bytes.starts(with: Array("PK".utf8)))
        #expect(bytes.range(of: Data(picture)) != nil)
        #expect(text.contains("picture.gif") && text.contains("report.txt"))
        #expect(text.contains("the picture lies beside it"))
        #expect(text.contains("job 1  needs attention"))
    }

    @Test(arguments: [true, false])
    func pictureThatIsGoneOrALinkIsLeftOut(isLink: Bool) throws {
        try desk.folder.write(Array("TELL NOBODY".utf8), to: "secret")
        try desk.folder.makeFolder("drop/cats")
        if isLink {
            try FileManager.default.createSymbolicLink(
                atPath: desk.folder.path("drop/cats/wave.gif"),
                withDestinationPath: desk.folder.path("secret"))
        }
        try desk.refused("cats/wave.gif")

        let (answer, text) = try report("wave", "--with-picture")

        #expect(answer.code == 3)
        #expect(answer.errors.contains("the picture is not in it: cats/wave.gif"))
        #expect(text.contains("report.txt") && !text.contains("picture.gif"))
        #expect(!text.contains("TELL NOBODY"))
    }
}
