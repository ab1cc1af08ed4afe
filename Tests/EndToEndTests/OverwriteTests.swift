import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// A file that changes, goes away or comes back, under the eyes of an app that never stops reading.
    struct OverwriteTests {
        /// Writing over a file: in place, and by a rename.
        static let ways: [@Sendable (Workshop, String, [UInt8]) throws -> Void] = [
            { try $0.put($2, $1) }, { try $0.replace($1, with: $2) },
        ]

        @Test func newVersionKeepsTheIDAndSwapsThePicture() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/tom.png")
            try workshop.put(try Art.png(2), "cats/kit.png")
            let witness = Witness(below: workshop.out, lasting: ["tom", "kit"])
            let daemon = try await workshop.start()
            var generation = 0

            for (number, write) in Self.ways.enumerated() {
                let version = try Art.png(10 + number)
                try write(workshop, "cats/tom.png", version)
                let library = try await workshop.published("version \(number)") {
                    $0.sticker("tom.png")?.source.sha256.rawValue == sha256(version)
                        && $0.names.count == 2
                }

                #expect(library.sticker("tom.png")?.identifier.rawValue == "tom")
                #expect(library.complaints() == [])
                #expect(try #require(library.generation("cats")) > generation)
                generation = try #require(library.generation("cats"))
            }

            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
            let testimony = witness.testimony()
            #expect(testimony.complaints == [])
            #expect(testimony.looks > 10)
        }

        @Test func badNewVersionKeepsTheOldAndNeedsAttention() async throws {
            let workshop = try Workshop()
            let (old, new) = (try Art.png(1), try Art.png(2))
            try workshop.put(old, "cats/tom.png")
            let daemon = try await workshop.start()
            defer { daemon.send(SIGTERM) }
            try await workshop.published("old") { $0.names == ["tom.png"] }
            let before = try workshop.manifest("cats")

            try workshop.replace("cats/tom.png", with: Array(new.dropLast(20)))
            let refused = try await workshop.jobs("refused") { $0.last?.state == "discarded" }

            #expect(refused.last?.refusal?.reason == "truncated")
            #expect(try workshop.manifest("cats") == before)
            #expect(try Library(below: workshop.out).complaints() == [])
            #expect(try await workshop.stickerctl("status").exitCode == 3)

            try workshop.replace("cats/tom.png", with: new)

            let library = try await workshop.published("corrected") {
                $0.sticker("tom.png")?.source.sha256.rawValue == sha256(new)
            }
            #expect(library.stickers.map(\.identifier.rawValue) == ["tom"])
            #expect(try await workshop.stickerctl("status").exitCode == 0)
            #expect(try await workshop.jobs().allSatisfy { !$0.needsAttention })
        }

        @Test func sameBytesChangeNothing() async throws {
            let workshop = try Workshop()
            let picture = try Art.png(1)
            try workshop.put(picture, "cats/tom.png")
            let daemon = try await workshop.start()
            defer { daemon.send(SIGTERM) }
            try await workshop.published("tom") { $0.names == ["tom.png"] }
            let (before, path) = (try workshop.manifest("cats"), "\(workshop.drop)/cats/tom.png")
            let changes: [() throws -> Void] = [
                { try check(utimes(path, nil), "utimes") },
                { try check(chmod(path, 0o600), "chmod") },
                { try workshop.put(picture, "cats/tom.png") },
                { try workshop.replace("cats/tom.png", with: picture) },
            ]

            for (number, change) in changes.enumerated() {
                try change()
                try await workshop.jobs("noted \(number)") { jobs in
                    jobs.count == number + 2 && jobs.allSatisfy { $0.state == "completed" }
                }
            }

            #expect(try workshop.manifest("cats") == before)
            let last = try await workshop.stickerctl("show", "\(changes.count + 1)")
            #expect(last.output.contains("unchanged"))
            #expect(!last.output.contains("decode"))
        }

        @Test func deletedFileLeavesAfterTheGraceAndItsIDIsNeverReused() async throws {
            let workshop = try Workshop(.init(publish: ["deleteGraceSeconds": 0]))
            let (first, other) = (try Art.png(1), try Art.png(2, side: 24))
            try workshop.put(first, "cats/tom.png")
            try workshop.put(try Art.png(3), "cats/kit.png")
            let witness = Witness(below: workshop.out, lasting: ["kit"])
            let daemon = try await workshop.start()
            try await workshop.published("both") { $0.names == ["kit.png", "tom.png"] }

            try workshop.remove("cats/tom.png")
            try await workshop.published("gone") { $0.names == ["kit.png"] }
            try workshop.put(other, "cats/tom.png")
            let library = try await workshop.published("other") { $0.names.count == 2 }

            #expect(library.sticker("tom.png")?.identifier.rawValue == "tom_2")
            #expect(library.complaints() == [])
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
            #expect(witness.testimony().complaints == [])
        }

        @Test func lastStickerOfACategoryLeavesWithIt() async throws {
            let workshop = try Workshop(.init(publish: ["deleteGraceSeconds": 0]))
            try workshop.put(try Art.png(1), "cats/tom.png")
            try workshop.put(try Art.png(2), "dogs/rex.png")
            let witness = Witness(below: workshop.out, lasting: ["rex"])
            let daemon = try await workshop.start()
            try await workshop.published("both") { $0.names.count == 2 }

            try FileManager.default.removeItem(atPath: "\(workshop.drop)/cats")
            // The index follows the manifest that became empty.
            let library = try await workshop.published("cats gone") {
                $0.names == ["rex.png"] && $0.categories.count == 1
            }

            #expect(library.categories.keys.sorted() == ["dogs"])
            #expect(
                try Library.pages("\(workshop.out)/cats/manifest.json").flatMap(\.stickers) == [])
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
            #expect(witness.testimony().complaints == [])
        }

        @Test(arguments: [1, 2])
        func fileThatComesBackWithinTheGraceNeverLeaves(version: Int) async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/tom.png")
            let witness = Witness(below: workshop.out, lasting: ["tom"])
            let daemon = try await workshop.start()
            try await workshop.published("tom") { $0.names == ["tom.png"] }
            let before = try workshop.manifest("cats")

            try workshop.remove("cats/tom.png")
            try await workshop.missing(1)
            let picture = try Art.png(version)
            try workshop.put(picture, "cats/tom.png")
            try await workshop.missing(0)

            try await workshop.jobs("done") { $0.count == 2 && $0.allSatisfy(\.isFinal) }
            let library = try await workshop.published("back") {
                $0.sticker("tom.png")?.source.sha256.rawValue == sha256(picture)
            }
            #expect(library.stickers.map(\.identifier.rawValue) == ["tom"])
            #expect(try (workshop.manifest("cats") == before) == (version == 1))
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
            #expect(witness.testimony().complaints == [])
        }

        @Test func fileThatIsDeletedWhileItWaitsNeedsNobody() async throws {
            let workshop = try Workshop(.init(watch: ["settleSeconds": 60]))
            let daemon = try await workshop.start()
            defer { daemon.send(SIGTERM) }
            try workshop.put(Array(try Art.png(1).prefix(40)), "cats/half.png")
            try await workshop.jobs("waits") { $0.last?.state == "scheduled" }

            try workshop.remove("cats/half.png")

            let jobs = try await workshop.jobs("cancelled") { $0.allSatisfy(\.isFinal) }
            #expect(jobs.map(\.state) == ["cancelled"])
            #expect(jobs.map(\.reason) == ["vanished"])
            #expect(try await workshop.stickerctl("status").exitCode == 0)
        }
    }
}

extension Workshop {
    /// The bytes of a manifest.
    fileprivate func manifest(_ category: String) throws -> Data {
        try Data(contentsOf: URL(filePath: "\(out)/\(category)/manifest.json"))
    }

    /// Waits until so many files are gone while their stickers wait for them.
    fileprivate func missing(_ count: Int) async throws {
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            if try await status().missing == count { return }
        }
        throw Program.Late(description: "\(count) files are not missing")
    }
}
