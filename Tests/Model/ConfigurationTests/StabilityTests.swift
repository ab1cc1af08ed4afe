import Foundation
import StickerTestSupport
import StickerValues
import Testing

/// Everything that `docs/stability.md` promises exists.
struct StabilityTests {
    private static let manuals = [
        "stickerd.8", "stickerctl.1", "stickerd-web.8", "stickerd-console.8", "stickerd-net.8",
        "stickerd-weather.8",
    ]

    private func text(_ path: String) throws -> String {
        String(decoding: try Repository.data(path), as: UTF8.self)
    }

    /// The words in backticks of the row that begins so.
    private func words(ofRow title: String) throws -> [String] {
        let rows = try text("docs/stability.md").split(separator: "\n")
        let row = try #require(rows.first { $0.hasPrefix("| \(title) |") })
        return row.matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    @Test func exitCodesAreThoseOfAllPrograms() throws {
        let codes = try Self.manuals.flatMap { manual -> [String] in
            let page = try text("deploy/man/\(manual)")
            let section = try #require(page.components(separatedBy: ".Sh EXIT STATUS\n").last)
            return section.components(separatedBy: "\n.Sh ")[0]
                .matches(of: /\.It ([0-9]+)\n/).map { String($0.1) }
        }

        #expect(Set(try words(ofRow: "Exit codes")) == Set(codes))
    }

    @Test func addressesAreDescribed() throws {
        let json = try JSONSerialization.jsonObject(
            with: Repository.data("Sources/C/CPages/openapi.json"))
        let described = try #require((json as? [String: Any])?["paths"] as? [String: Any]).keys

        let addresses = try words(ofRow: "HTTP").filter { $0.hasPrefix("/") }

        #expect(addresses.count > 4)
        for address in addresses {
            let isThere = described.contains { $0 == address || $0.hasPrefix("\(address)/") }
            #expect(isThere, "\(address)")
        }
    }

    /// Later releases keep everything that a release promised by name. Other tests compare the input of `promises.py`
    /// with the programs.
    @Test func promisesOfEveryReleaseAreKept() throws {
        let script = Process()
        script.executableURL = URL(filePath: Repository.path("deploy/promises.py"))
        let output = Pipe()
        script.standardOutput = output
        try script.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        script.waitUntilExit()
        func lines(_ text: String) -> Set<String> {
            Set(text.split(separator: "\n").map(String.init))
        }
        let present = lines(String(decoding: bytes, as: UTF8.self))

        let folder = "Tests/EndToEndTests/Fixtures"
        let files = try FileManager.default.contentsOfDirectory(atPath: Repository.path(folder))
            .filter { $0.hasPrefix("promises-") }
        #expect(files.contains("promises-\(Stickerd.version).txt"))
        for file in files {
            let promised = lines(try text("\(folder)/\(file)"))
            #expect(promised.count > 400)
            let broken = promised.subtracting(present).sorted()
            #expect(broken.isEmpty, "\(file): these stay until 2.0")
        }
    }

    @Test func publishedFilesSayTheirVersion() throws {
        #expect(try words(ofRow: "Published files").contains("\"version\": 1"))
        for name in ["index", "removed", "manifest"] {
            let schema = try text("deploy/schema/\(name).schema.json")
            #expect(schema.contains("\"version\": { \"const\": 1 }"), "\(name)")
        }
    }

    @Test func manualsAndProgramsAreThere() throws {
        let pages = try text("docs/stability.md").matches(of: /`([a-z-]+)\(([1-8])\)`/)

        #expect(pages.count > 8)
        for page in pages { _ = try Repository.data("deploy/man/\(page.1).\(page.2)") }
        let programs = Self.manuals.map { String($0.prefix { $0 != "." }) }
        #expect(Set(try words(ofRow: "Programs")) == Set(programs))
    }

    @Test func codesAndFieldsAreDescribed() throws {
        let page = try text("deploy/man/stickerd.8")
        let words = try words(ofRow: "Codes")

        let fields = words.filter { $0.hasPrefix("STICKERD_") }

        let described = page.matches(of: /\bSTICKERD_[A-Z]+/).map { String($0.output) }
        #expect(Set(fields) == Set(described).subtracting(["STICKERD_CONFIG"]))
        let reasons = words.filter { $0.contains("-") }
        #expect(!reasons.isEmpty && reasons.allSatisfy { Refusal.Reason(rawValue: $0) != nil })
    }
}
