import Foundation
import StickerTestSupport
import Testing

/// StickerKit is also built where no test of this repository runs.
struct PortabilityTests {
    private static var sources: [String] {
        get throws {
            let folder = Repository.path("Sources/Kit")
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
            return try names.filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        }
    }

    @Test func nothingButFoundationIsImported() throws {
        let imports = try Self.sources.flatMap { source in
            source.split(separator: "\n").filter { $0.contains(#/^ *(?:public |@\w+ )*import /#) }
        }

        let modules = Set(imports.compactMap { $0.split(separator: " ").last })

        #expect(modules == ["Foundation", "FoundationNetworking"])
    }

    /// APIs newer than iOS 15 and macOS 12: the compiler on Linux accepts them.
    @Test(
        arguments: [
            "Duration", "ContinuousClock", "Mutex<", "Atomic<", "Regex", "URL(filePath:",
            ".appending(path", ".path(", "RawSpan", "Span<", "Task.sleep(for:",
        ])
    func nothingIsUsedThatOldSystemsLack(name: String) throws {
        for source in try Self.sources { #expect(!source.contains(name), "\(name)") }
    }
}
