import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Hundreds of files wait.
    struct BacklogTests {
        /// Files dropped by hand come first, whatever waits: the 20 first within ten seconds do.
        @Test func freshDropsPassABacklog() async throws {
            let workshop = try Workshop(.init(workers: 1))
            let art = try (0..<16).map { try Art.png($0) }
            // The work rests until all of it is booked, however fast or slow the machine is.
            _ = try await workshop.drain()
            _ = try await workshop.stickerctl("pause")
            for number in 0..<400 { try workshop.put(art[number % 16], "bulk/\(number).png") }
            let daemon = try await workshop.start()
            try await workshop.jobs(upTo: .seconds(300), "booked") { $0.count == 400 }

            for number in 0..<20 {
                try workshop.replace("fresh \(number).png", with: art[number % 16])
            }
            try await workshop.jobs(upTo: .seconds(300), "booked, too") { $0.count == 420 }
            _ = try await workshop.stickerctl("resume")

            let jobs = try await workshop.jobs(upTo: .seconds(300), "all done") { jobs in
                jobs.count == 420 && jobs.allSatisfy { $0.state == "completed" }
            }
            let fresh = jobs.filter { $0.category == "stickers" }
            let bulk = jobs.filter { $0.category == "bulk" }
            // The backlog waited, and none of it was begun while a fresh file waited longer.
            let lastFresh = try #require(fresh.compactMap(\.finishedAt).max())
            #expect(bulk.count { $0.finishedAt ?? .distantPast > lastFresh } > 100)
            for job in fresh {
                let began = try #require(job.startedAt)
                #expect(
                    !bulk.contains { other in
                        other.startedAt.map { job.createdAt < $0 && $0 < began } ?? false
                    }, "\(job)")
            }
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
            #expect(try Library(below: workshop.out).stickers.count == 420)
        }

        /// Neither a folder made just now, nor a copy that goes on elsewhere, makes a file wait.
        @Test func fileInANewFolderPassesABacklog() async throws {
            let workshop = try Workshop(.init(workers: 1))
            let art = try (0..<16).map { try Art.png($0) }
            _ = try await workshop.drain()
            _ = try await workshop.stickerctl("pause")
            let daemon = try await workshop.start()
            for number in 0..<400 { try workshop.put(art[number % 16], "bulk/\(number).png") }
            try await workshop.jobs(upTo: .seconds(300), "booked") { $0.count == 400 }

            try workshop.put(art[0], "new/folder/hello.png")
            try await workshop.jobs(upTo: .seconds(300), "booked, too") { $0.count == 401 }
            _ = try await workshop.stickerctl("resume")

            let jobs = try await workshop.jobs(upTo: .seconds(300), "all done") { jobs in
                jobs.count == 401 && jobs.allSatisfy { $0.state == "completed" }
            }
            let order = jobs.sorted {
                ($0.startedAt ?? .distantPast) < ($1.startedAt ?? .distantPast)
            }
            // The 20 first of the copy could have been a person's.
            let place = try #require(order.firstIndex { $0.category == "new" })
            #expect(place < 25, "\(place)")
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
        }

        /// Only one slow picture runs while others wait.
        @Test func longPicturesLeaveALaneToOthers() async throws {
            let workshop = try Workshop(.init(workers: 2))
            _ = try await workshop.drain()
            _ = try await workshop.stickerctl("pause")
            for number in 1...2 {
                let frames = (0..<151).map { frame in
                    TestGIF.Frame(
                        width: 4, height: 4,
                        indices: Array(repeating: UInt8((frame + number) % 4), count: 16), delay: 2)
                }
                try workshop.put(
                    TestGIF(width: 4, height: 4, frames: frames).bytes, "long/\(number).gif")
            }
            let daemon = try await workshop.start()
            try await workshop.jobs("booked") { $0.count == 2 }
            for number in 1...3 { try workshop.put(try Art.png(number), "short/\(number).png") }
            try await workshop.jobs("booked, too") { $0.count == 5 }
            _ = try await workshop.stickerctl("resume")

            let jobs = try await workshop.jobs("all done") { jobs in
                jobs.count == 5 && jobs.allSatisfy { $0.state == "completed" }
            }

            let long = jobs.filter { $0.category == "long" }.compactMap(\.finishedAt)
            let short = jobs.filter { $0.category == "short" }.compactMap(\.finishedAt)
            #expect(try #require(short.max()) < #require(long.max()))
            #expect(jobs.allSatisfy { $0.attempt == 1 })
            var waited = 0
            for job in jobs where job.category == "long" {
                let shown = try await workshop.stickerctl("show", "\(job.id)").output
                waited += shown.contains("may take long, waits for a lane of large files") ? 1 : 0
            }
            #expect(waited >= 1)
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
        }

        /// The bytes written for each sticker do not grow with the category: neither in the database nor,
        /// as manifests are written ever less often, in the manifests.
        @Test func costOfAStickerStaysTheSame() async throws {
            let workshop = try Workshop(.init(workers: 1))
            let art = try (0..<16).map { try Art.png($0) }
            func drained(_ numbers: Range<Int>) async throws -> Cost {
                for number in numbers { try workshop.put(art[number % 16], "cats/\(number).png") }
                let trace = workshop.folder.path("trace \(numbers)")
                let faults = Faults(root: workshop.folder.path, trace: trace)
                #expect(try await workshop.drain(environment: faults.environment()).exitCode == 0)
                return Cost(try faults.calls(), stickers: numbers.count)
            }

            _ = try await drained(0..<16)
            let early = try await drained(16..<36)
            let start = ContinuousClock.now
            let between = try await drained(36..<800)
            let seconds = Int((ContinuousClock.now - start) / .seconds(1))
            let late = try await drained(800..<820)

            #expect(try Library(below: workshop.out).stickers.count == 820)
            #expect(early.pictures == 0 && late.pictures == 0)
            #expect(late.journal < 2 * early.journal, "\(early) \(late)")
            #expect(between.journal < 2 * early.journal, "\(early) \(between)")
            #expect(late.manifests <= early.manifests + 2)
            #expect(between.manifests <= seconds + 3, "\(between)")
        }

        /// The files that a run wrote.
        private struct Cost {
            /// Bytes of the database's journal for each sticker.
            var journal: Int
            /// Manifests put in place.
            var manifests: Int
            /// Pictures put in place.
            var pictures: Int

            init(_ calls: [Faults.Call], stickers: Int) {
                let log = calls.filter { $0.name == "pwrite" && $0.path.hasSuffix("-wal") }
                journal = log.reduce(0) { $0 + $1.bytes } / stickers
                let renames = calls.filter { $0.name == "rename" }
                manifests = renames.count { $0.path.hasSuffix("/manifest.json") }
                pictures = renames.count { $0.path.contains("/out/_/") }
            }
        }
    }
}
