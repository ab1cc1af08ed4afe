import Foundation
import Glibc
import StickerCodecs
import StickerPackFiles
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// "ready" means that the bytes were looked at.
    struct LintTests {
        private let workshop: Workshop

        init() throws {
            var settings = Workshop.Settings()
            settings.sticker = ["packs": ["whatsapp"], "emojis": ["🐱"]]
            workshop = try Workshop(settings)
        }

        /// The answer of lint, as JSON.
        private struct Answer: Decodable {
            struct Report: Decodable {
                var platform: PackPlatform
                var ready: Bool
                var findings: [Finding]
            }

            var platforms: [Report]
            var published: [Finding]?

            var findings: [Finding] { platforms.flatMap(\.findings) + (published ?? []) }
        }

        private func lint(_ arguments: String...) async throws -> (code: Int32?, answer: Answer) {
            let ending = try await workshop.stickerctl(["lint", "--json"] + arguments)
            let answer = try JSONDecoder().decode(Answer.self, from: Data(ending.output.utf8))
            return (ending.exitCode, answer)
        }

        private func publish() async throws {
            try workshop.put(Array(#"{"publisher": "Ada"}"#.utf8), "cats/category.json")
            for number in 1...4 {
                try workshop.put(try Art.png(number), "cats/\(number) art.png")
                try workshop.put(
                    try Art.animation([100, 100], number), "cats/\(number) moving.webp")
            }
            let ending = try await workshop.drain()
            #expect(ending.exitCode == 0, "\(ending.errors)")
        }

        private static func still(_ width: Int, _ height: Int) throws -> [UInt8] {
            try WebPEncoder(.disc(PixelSize(width: width, height: height))).lossless(level: 0)
        }

        // MARK: Damage

        /// The file that is damaged.
        enum Target: Sendable {
            /// The picture of a sticker that stands still, or moves.
            case still, moving
            /// A file below the folder of the packs.
            case pack(String)
            /// A path below `out`.
            case path(String)
        }

        struct Damage: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let target: Target
            /// The rules besides `damaged`.
            let rules: Set<String>
            /// The bytes of the file afterwards; `nil` if it is gone.
            let change: @Sendable ([UInt8]) throws -> [UInt8]?

            init(
                _ name: String, _ target: Target, _ rules: Set<String>,
                _ change: @escaping @Sendable ([UInt8]) throws -> [UInt8]?
            ) {
                (testDescription, self.target) = (name, target)
                (self.rules, self.change) = (rules, change)
            }
        }

        static let damages = [
            Damage("cut", .still, ["V13"]) { Array($0.prefix(40)) },
            Damage("PNG as WebP", .still, ["V13"]) { _ in try PNGEncoder.encode(.disc(.sticker)) },
            Damage("600x512", .still, ["V13"]) { _ in try still(600, 512) },
            Damage("too large", .still, ["V12"]) { _ in
                try WebPEncoder(.noise(.sticker)).lossless(level: 0)
            },
            Damage("bytes behind the end", .still, ["C1"]) { $0 + [0, 0] },
            Damage("moving among stills", .still, ["V15", "I6"]) { _ in
                try Art.animation([100, 100])
            },
            Damage("still among moving", .moving, ["V14", "I6"]) { _ in try still(512, 512) },
            Damage("empty", .still, ["L4", "I4"]) { _ in [] },
            Damage("transparent", .still, ["picture-empty"]) { _ in
                try WebPEncoder(PixelBuffer(size: .sticker)).lossless(level: 0)
            },
            Damage("gone", .still, ["L3"]) { _ in nil },
            Damage("5 ms frames", .moving, ["V14"]) { _ in try Art.animation([5, 5, 5]) },
            Damage("12 s", .moving, ["V14"]) { _ in try Art.animation([4000, 4000, 4000]) },
            Damage("other pixels", .still, []) { bytes in
                try still(512, 512) == bytes ? bytes + [0] : try still(512, 512)
            },
            Damage("contents.json cut", .pack("android/contents.json"), ["P1"]) {
                Array($0.prefix(30))
            },
            Damage("no publisher", .pack("android/contents.json"), ["P3"]) {
                let text = String(decoding: $0, as: UTF8.self)
                return Array(text.replacing("\"publisher\"", with: "\"x\"").utf8)
            },
            Damage("tray gone", .pack("android/cats/tray.png"), ["L3"]) { _ in nil },
            Damage("archive cut", .pack("wastickers/cats.wastickers"), []) { Array($0.prefix(99)) },
            Damage("archive gone", .pack("wastickers/cats.wastickers"), []) { _ in nil },
            Damage("list gone", .path("_packs/whatsapp/cats/current.json"), []) { _ in nil },
            Damage("manifest cut", .path("cats/manifest.json"), []) { Array($0.prefix(30)) },
        ]

        @Test(arguments: damages) func damageIsNamedByItsRule(damage: Damage) async throws {
            try await publish()
            #expect(try await lint("cats").code == 0)
            let file = try path(of: damage.target)
            let before = [UInt8](try Data(contentsOf: URL(filePath: file)))
            if let after = try damage.change(before) {
                // The same file by every name that it has.
                try Data(after).write(to: URL(filePath: file), options: [])
            } else {
                try FileManager.default.removeItem(atPath: file)
            }

            let (code, answer) = try await lint("cats")

            #expect(code == 3)
            let damaged = answer.findings.filter { $0.rule == "damaged" }
            let named = damaged.first { file.hasSuffix($0.file ?? "?") }
            #expect(named?.measured != nil && named?.limit != nil, "\(answer)")
            #expect(damage.rules.isSubset(of: answer.findings.map(\.rule)), "\(answer)")
            #expect(answer.findings.allSatisfy { $0.severity == .warning || !$0.remedy.isEmpty })
        }

        private func path(of target: Target) throws -> String {
            switch target {
            case .path(let path): return "\(workshop.out)/\(path)"
            case .pack(let path):
                let shelf = "\(workshop.out)/_packs/whatsapp/cats"
                let data = try Data(contentsOf: URL(filePath: "\(shelf)/current.json"))
                let current = try JSONDecoder().decode(PublishedPacks.self, from: data)
                return "\(shelf)/\(try #require(current.folder))/\(path)"
            case .still, .moving:
                let pages = try Library.pages("\(workshop.out)/cats/manifest.json")
                let moves = if case .moving = target { true } else { false }
                let sticker = try #require(
                    pages.flatMap(\.stickers).first { $0.animated == moves })
                let file = try #require(sticker.files.first { $0.role == .sticker })
                let name = "\(file.sha256).\(file.format.fileExtension)"
                return "\(workshop.out)/_/\(file.sha256.rawValue.prefix(2))/\(name)"
            }
        }

        // MARK: Folders

        /// No library is needed, and pixels are decoded.
        @Test func folderOfSomebodyElseIsJudgedPixelsAndAll() async throws {
            let folder = workshop.folder.path("theirs")
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            let size = PixelSize(width: 320, height: 320)
            var list: [[String: String]] = []
            for (name, bytes) in [
                ("good", try PNGEncoder.encode(.disc(size))),
                ("empty", try PNGEncoder.encode(PixelBuffer(size: size))),
            ] {
                try Data(bytes).write(to: URL(filePath: "\(folder)/\(name).png"))
                list.append(["file": "\(name).png", "name": name, "tags": "😀"])
            }
            try JSONEncoder().encode(list)
                .write(to: URL(filePath: "\(folder)/stickers.json"))

            let (code, answer) = try await lint(folder)

            #expect(code == 3)
            #expect(answer.platforms.map(\.platform) == [.discord])
            let faults = answer.findings.filter { $0.severity == .fault }
            #expect(faults.map(\.rule) == ["picture-empty"])
            #expect(faults.map(\.file) == ["empty.png"])

            try FileManager.default.removeItem(atPath: "\(folder)/stickers.json")
            let ending = try await workshop.stickerctl("lint", folder)
            #expect(ending.exitCode == 1)
            #expect(ending.errors.contains("unknown-platform"), "\(ending)")
        }

        @Test func archivesInAFolderAreJudged() async throws {
            try await publish()
            let shelf = workshop.folder.path("mine")
            try FileManager.default.createDirectory(
                atPath: shelf, withIntermediateDirectories: true)
            let export = try await workshop.stickerctl(
                "export", "cats", "--for", "misskey", "--to", shelf)
            #expect(export.exitCode == 0, "\(export)")

            let (code, answer) = try await lint(shelf)

            #expect(code == 0, "\(answer)")
            #expect(answer.platforms.map(\.platform) == [.misskey])
        }
    }
}
