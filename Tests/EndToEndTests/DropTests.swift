import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Whatever way a picture gets into a drop folder, it becomes a published sticker.
    struct DropTests {
        @Test(arguments: DropHabit.allCases)
        func pictureIsPublished(habit: DropHabit) async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/first.png")
            let daemon = try await workshop.start()
            try await workshop.published("first") { $0.names == ["first.png"] }

            let names = try habit.drop(try Art.png(2), in: workshop)

            let expected = (names + ["first.png"]).sorted()
            let library = try await workshop.published("\(habit)") { $0.names == expected }
            #expect(library.complaints() == [])
            #expect(Set(library.stickers.map(\.identifier)).count == expected.count)
            let jobs = try await workshop.jobs()
            #expect(jobs.map(\.state) == jobs.map { _ in "completed" })
            #expect(jobs.count == expected.count)
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
        }

        @Test func slowAppendIsPublishedOnceAndWhole() async throws {
            let picture = try Art.noise(side: 40)
            // However late the next part comes, the file is still arriving.
            let workshop = try Workshop(
                .init(watch: ["settleSeconds": 0.2, "arrivingSecondsMax": 3600]))
            let daemon = try await workshop.start()
            defer { daemon.send(SIGTERM) }

            let rounds = 4
            for round in 1...rounds {
                let size = picture.count * round / rounds
                let part = picture[(picture.count * (round - 1) / rounds)..<size]
                try append(part, to: "\(workshop.folder.makeFolder("drop/cats"))/slow.png")
                guard round < rounds else { break }
                // The daemon has looked at this much of it before the next part comes.
                try await workshop.jobs("looked at") { $0.last?.bytes == size }
            }

            let library = try await workshop.published("slow.png") { $0.names == ["slow.png"] }
            #expect(library.stickers.first?.source.sha256.rawValue == sha256(picture))
            #expect(library.generation("cats") == 1)
            // A part that was looked at just as the next one came gives way to that one's job.
            let jobs = try await workshop.jobs()
            #expect(jobs.map(\.state).filter { $0 != "cancelled" } == ["completed"])
        }

        @Test func rewritingQuicklyEndsWithTheLastVersion() async throws {
            let workshop = try Workshop()
            let daemon = try await workshop.start()
            defer { daemon.send(SIGTERM) }
            let versions = try (1...50).map { try Art.png($0) }

            for version in versions { try workshop.replace("save.png", with: version) }

            let last = sha256(versions[49])
            try await workshop.published("last version") {
                $0.sticker("save.png")?.source.sha256.rawValue == last
            }
            let jobs = try await workshop.jobs("all final") { $0.allSatisfy(\.isFinal) }
            let library = try Library(below: workshop.out)
            #expect(library.names == ["save.png"])
            #expect(library.stickers.map(\.identifier.rawValue) == ["save"])
            #expect(library.complaints() == [])
            #expect(Set(jobs.map(\.state)).isSubset(of: ["completed", "cancelled"]))
        }

        private func append(_ part: ArraySlice<UInt8>, to path: String) throws {
            let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
            try check(file, "open \(path)")
            defer { close(file) }
            try check(Int32(write(file, Array(part), part.count)), "write \(path)")
        }
    }
}
