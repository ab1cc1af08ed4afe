import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// No file keeps the daemon down, and no death of it costs an innocent file its sticker.
    struct PoisonTests {
        private static let poison = "what crashes the daemon"

        @Test func aFileThatCrashesTheDaemonIsHeldWithinFiveStarts() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.numbered(1), "cats/poison.png")
            try workshop.put(try Art.png(2), "cats/told.png")
            #expect(try await workshop.drain().exitCode == 0)
            for number in 3..<9 { try workshop.put(try Art.png(number), "cats/\(number).png") }
            try workshop.replace(
                "cats/poison.png", with: try Art.png(9) + Array(Self.poison.utf8))
            try workshop.replace(
                "cats/told.png.sticker.json", with: Array("{\"title\": \"\(Self.poison)\"}".utf8))

            // The watcher looks whether it is a picture.
            try workshop.put(
                [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(Self.poison.utf8),
                "cats/drawing")

            let environment = try Faults.environment(poison: Self.poison)
            var (starts, log) = (0, "")
            var ending: Program.Ending
            repeat {
                ending = try await workshop.drain(environment: environment)
                log += ending.errors
                starts += 1
            } while ending.signal == SIGSEGV && starts < 12

            // Three starts for each of them.
            #expect(ending.exitCode == 3 && starts <= 10)
            let jobs = try await workshop.jobs().filter(\.needsAttention)
            #expect(
                Set(jobs.map(\.file)) == [
                    "cats/drawing", "cats/poison.png", "cats/told.png.sticker.json",
                ])
            #expect(jobs.allSatisfy { $0.refusal?.reason == "daemon-crashed" })
            #expect(log.contains(" job held "))
            let library = try Library(below: workshop.out)
            #expect(library.stickers.count == 8)
            #expect(library.complaints() == [])
            #expect(
                library.stickers.first { $0.source.name == "poison.png" }?.source.sha256.rawValue
                    == Art.hash(1))

            // A release that can read them.
            let retry = try await workshop.stickerctl("retry", "--reason", "daemon-crashed")
            #expect(retry.exitCode == 0)
            #expect(try await workshop.drain().exitCode == 3)
            let left = try await workshop.jobs().filter(\.needsAttention)
            #expect(left.map(\.refusal?.reason) == ["misnamed"])
        }

        /// Twice as often as crashes are forgiven.
        @Test func deathsFromOutsideBlameNobody() async throws {
            let workshop = try Workshop()
            let art = try Art.png(1)
            for number in 0..<30 { try workshop.put(art, "cats/\(number).png") }
            for signal in [SIGKILL, SIGSEGV, SIGKILL, SIGBUS, SIGKILL, SIGILL, SIGTRAP] {
                let daemon = try await workshop.start()
                try workshop.put(try Art.png(Int(signal) + 50), "dogs/\(signal).png")
                try await Task.sleep(for: .milliseconds(100))
                daemon.send(signal)
                #expect(try await daemon.ending().signal == signal)
            }
            #expect(try await workshop.drain().exitCode == 0)
            let library = try Library(below: workshop.out)
            #expect(library.stickers.count == 35)
            #expect(try await workshop.jobs().filter(\.needsAttention) == [])
        }
    }
}
