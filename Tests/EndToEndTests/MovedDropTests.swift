import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// A drop folder that goes elsewhere takes its stickers along.
    struct MovedDropTests {
        private let workshop: Workshop

        init() throws {
            workshop = try Workshop()
            for number in 1...6 { try workshop.put(try Art.png(number), "cats/\(number).png") }
        }

        private func identifiers() throws -> [String] {
            try Library(below: workshop.out).stickers.map(\.identifier.rawValue).sorted()
        }

        private func list(_ drops: String...) throws {
            try workshop.configure(.init(drops: drops))
        }

        /// Lines are broken for a terminal.
        private func unwrapped(_ text: String) -> String {
            text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }

        @Test func renamedDropKeepsIdsWithoutAJob() async throws {
            #expect(try await workshop.drain().exitCode == 0)
            let before = try identifiers()
            try check(rename(workshop.drop, workshop.folder.path("art")), "rename")
            try list("art")

            let plan = try await workshop.stickerctl("plan")
            let drain = try await workshop.drain()

            #expect(unwrapped(plan.output).contains("moved from \(workshop.drop), 6 stickers"))
            #expect(drain.exitCode == 0)
            #expect(drain.errors.contains("drop moved, its stickers keep their ids count=6"))
            #expect(try identifiers() == before)
            #expect(try await workshop.jobs().count == 6)
        }

        @Test func copyOnAnotherDiskKeepsIdsWithoutEncoding() async throws {
            #expect(try await workshop.drain().exitCode == 0)
            let before = try identifiers()
            for number in 1...6 {
                try workshop.folder.write(try Art.png(number), to: "art/cats/\(number).png")
            }
            try list("art")

            let drain = try await workshop.drain()
            #expect(drain.exitCode == 0)
            // The old folder may go, or stay.
            try FileManager.default.removeItem(atPath: workshop.drop)
            #expect(try await workshop.drain().exitCode == 0)

            #expect(try identifiers() == before)
            #expect(
                drain.errors.split(separator: "\n").count { $0.contains("detail=unchanged") } == 6)
        }

        @Test func dropThatIsNotListedAnyMoreIsNamedAndKeepsItsStickers() async throws {
            #expect(try await workshop.drain().exitCode == 0)
            try workshop.folder.makeFolder("other")
            try list("other")

            let plan = try await workshop.stickerctl("plan")
            let drain = try await workshop.drain()
            let status = try await workshop.stickerctl("status")

            #expect(
                unwrapped(plan.output).contains(
                    "not listed any more, its 6 stickers stay published"))
            #expect(
                drain.errors.contains("a drop is no longer listed, its stickers stay count=6"))
            #expect(status.output.contains("unlisted"))
            #expect(try identifiers().count == 6)
        }
    }
}
