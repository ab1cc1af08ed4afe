import Foundation
import Glibc
import StickerTestSupport
import Testing

/// `stickerctl import` as an operator sees it.
struct ImportTests {
    private let desk: Operator

    init() throws { desk = try Operator() }

    private func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: desk.folder.path(path)).sorted()
    }

    @Test func saysWhatBecameOfEachPack() throws {
        let answer = try desk.ask("import", desk.pack("source", title: "Fluffy cats"))

        #expect(answer.code == 0)
        #expect(answer.lines.first == "Fluffy cats: 2 pictures, from folder")
        #expect(try names("drop") == ["Fluffy cats"])
    }

    @Test func whatIsLeftOutIsListedAndEndsWith3() throws {
        let source = try desk.pack("source", title: "Cats")
        for number in 5...9 {
            try desk.folder.write(Array("text".utf8), to: "source/\(number).png")
        }

        let answer = try desk.ask("import", source)

        #expect(answer.code == 3)
        #expect(
            answer.text.contains(
                "left out 5.png: not-a-picture: it is not a picture that stickerd reads "
                    + "(is a text file, allowed is PNG, GIF"))
        #expect(answer.text.contains("and 2 more like these; --json lists all"))
        try FileManager.default.removeItem(atPath: desk.folder.path("drop/Cats"))
        let json = try desk.ask("import", source, "--json")
        let object = try json.object()
        #expect(json.code == 3)
        #expect((object["leftOut"] as? [[String: Any]])?.count == 5)
        #expect((object["categories"] as? [[String: Any]])?.first?["stickers"] as? Int == 2)
    }

    @Test func nothingImportedEndsWith1() throws {
        let source = try desk.pack("source", title: "Cats")
        #expect(try desk.ask("import", source).code == 0)

        let again = try desk.ask("import", source)

        #expect(again.code == 1)
        #expect(
            again.text.contains("category-exists") && again.text.contains("move that folder away"))
        #expect(try desk.ask("import", source, "--category", "Dogs").code == 0)
        #expect(try names("drop") == ["Cats", "Dogs"])
        let nothing = try desk.ask("import", desk.folder.path("nothing"))
        #expect(nothing.code == 1 && nothing.errors.hasPrefix("there is no /"))
    }

    @Test func oneOfSeveralDropsMustBeNamed() throws {
        let source = try desk.pack("source", title: "Cats")
        try desk.folder.makeFolder("other")
        try desk.folder.write(
            Array(#"{"drops": ["drop", "other"], "out": "out", "state": "state"}"#.utf8),
            to: "config.json")

        let unnamed = try desk.ask("import", source)
        #expect(unnamed.code == 1)
        #expect(unnamed.errors.contains("several-drops"))

        let named = try desk.ask("import", source, "--to", desk.folder.path("other"))
        #expect(named.code == 0)
        #expect(try names("other") == ["Cats"] && names("drop") == [])
    }

    @Test func folderThatIsNoDropIsRefusedAndTheDropsAreNamed() throws {
        let source = try desk.pack("source", title: "Cats")
        try desk.folder.makeFolder("drop/dogs")
        try desk.folder.makeFolder("elsewhere")
        for place in ["out", "state", "drop/dogs", "out/x", "elsewhere", "nothing", "."] {
            let answer = try desk.ask("import", source, "--to", desk.folder.path(place))
            #expect(answer.code == 1)
            #expect(answer.errors.contains("not-a-drop"))
            #expect(answer.errors.contains(desk.folder.path("drop")))
        }
        #expect(try names("elsewhere") == [] && names("drop/dogs") == [])
    }

    @Test func dropIsKnownByWhateverPathLeadsToIt() throws {
        let source = try desk.pack("source", title: "Cats")
        try FileManager.default.createSymbolicLink(
            atPath: desk.folder.path("link"), withDestinationPath: desk.folder.path("drop"))

        for (index, place) in ["drop/", "link", "out/../drop"].enumerated() {
            let answer = try desk.ask(
                "import", source, "--to", desk.folder.path(place), "--category", "\(index)")
            #expect(answer.code == 0, "\(answer)")
        }

        #expect(try names("drop") == ["0", "1", "2"])
    }

    @Test func signalEndsAnImportWithoutATrace() throws {
        let source = try desk.pack("source", title: "Cats", pictures: 3000)
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "stickerctl").path
        let process = Process()
        // The threads of tests block signals, and programs inherit that.
        let unblock = """
            import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execv(sys.argv[1], sys.argv[1:])
            """
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            "-c", unblock, program, "import", source, "--config", desk.folder.path("config.json"),
        ]
        process.environment = ProgramEnvironment.inherited
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        // The hidden folder is there as long as it works.
        while process.isRunning, try names("drop").isEmpty { sched_yield() }

        process.terminate()
        process.waitUntilExit()

        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == SIGTERM)
        #expect(try names("drop") == [])
    }
}

extension Operator {
    /// A folder with a title and pictures, for others to import.
    ///
    /// - Returns: its absolute path.
    func pack(_ path: String, title: String, pictures: Int = 2) throws -> String {
        try folder.write(Array(title.utf8), to: "\(path)/title.txt")
        for number in 0..<pictures {
            try folder.write(TestPNG.file([TestPNG.header(8, 8)]), to: "\(path)/\(number).png")
        }
        return folder.path(path)
    }
}
