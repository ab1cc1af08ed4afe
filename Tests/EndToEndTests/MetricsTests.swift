import Foundation
import Glibc
import StickerTestSupport
import Testing

extension EndToEnd {
    /// `run/metrics.prom`, as Prometheus finds it.
    struct MetricsTests {
        private let workshop: Workshop

        init() throws { workshop = try Workshop() }

        /// Every figure, by name and labels.
        private func figures() throws -> [String: Double] {
            let path = workshop.folder.path("run/metrics.prom")
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
                .filter { !$0.hasPrefix("#") }
            return Dictionary(
                uniqueKeysWithValues: try lines.map { line in
                    let end = try #require(line.lastIndex(of: " "))
                    let value = Double(line[line.index(after: end)...])
                    return (String(line[..<end]), try #require(value))
                })
        }

        /// The figures, once `name` has this value: they are written every 5 seconds.
        private func figures(when name: String, is value: Double) async throws -> [String: Double] {
            let end = ContinuousClock.now + .seconds(120)
            var found = (try? figures()) ?? [:]
            while found[name] != value, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(50))
                found = (try? figures()) ?? [:]
            }
            return found
        }

        private func sizes(below folder: String) throws -> [Int] {
            try FileManager.default.subpathsOfDirectory(atPath: folder)
                .map { try FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)") }
                .filter { $0[.type] as? FileAttributeType == .typeRegular }
                .compactMap { $0[.size] as? Int }
        }

        @Test func figuresOfADrainAgreeWithWhatItDid() async throws {
            for number in 1...3 { try workshop.put(try Art.png(number), "cats/\(number).png") }
            try workshop.put(try Art.png(4), "dogs/rex.png")
            try workshop.put(try Array(Art.png(2).dropLast(9)), "dogs/cut.png")
            try workshop.put(Array("hello".utf8), "dogs/notes.txt")

            #expect(try await workshop.drain().exitCode == 3)

            let figures = try figures()
            for (name, value) in [
                "stickerd_ready": 1.0, "stickerd_stickers": 4, "stickerd_categories": 2,
                "stickerd_jobs{state=\"completed\"}": 4, "stickerd_jobs{state=\"discarded\"}": 1,
                "stickerd_jobs{state=\"available\"}": 0, "stickerd_jobs{state=\"executing\"}": 0,
                "stickerd_oldest_waiting_job_age_seconds": 0,
                "stickerd_refused_files{reason=\"truncated\"}": 1,
                "stickerd_attention_items{kind=\"refused\"}": 1,
                "stickerd_jobs_ended_total{state=\"completed\"}": 4,
                "stickerd_refusals_total{reason=\"truncated\"}": 1,
                "stickerd_worker_deaths_total{reason=\"decoder-crashed\"}": 0,
                "stickerd_obstacle{kind=\"space\"}": 0, "stickerd_drops": 1,
                "stickerd_drops_away": 0, "stickerd_ignored_files": 1,
                "stickerd_inotify_overflows_total": 0, "stickerd_lanes": 2,
                "stickerd_files_written_total{kind=\"pictures\"}":
                    Double(try sizes(below: "\(workshop.out)/_").count),
                "stickerd_written_bytes_total{kind=\"pictures\"}":
                    Double(try sizes(below: "\(workshop.out)/_").reduce(0, +)),
            ] {
                #expect(figures[name] == value, "\(name)")
            }
            #expect(figures["stickerd_sticker_encodes_count"] == 4)
            #expect(try #require(figures["stickerd_sticker_encodes_sum"]) >= 4)
            #expect(try #require(figures["stickerd_cpu_seconds_total{of=\"children\"}"]) > 0)
            #expect(try #require(figures["stickerd_free_bytes{folder=\"out\"}"]) > 0)
        }

        @Test func figuresFollowADaemonAndBeginAgainWithTheNextOne() async throws {
            let daemon = try await workshop.start()
            try workshop.put(try Art.png(1), "cats/one.png")
            let first = try await figures(
                when: "stickerd_jobs_ended_total{state=\"completed\"}", is: 1)
            // By an event, or by the listing at the start.
            let latencies = ["fresh", "bulk"].compactMap {
                first["stickerd_job_latency_seconds_count{priority=\"\($0)\"}"]
            }
            #expect(latencies.reduce(0, +) == 1)
            daemon.send(SIGKILL)
            _ = try await daemon.ending()

            let next = try await workshop.start()
            try workshop.put(try Art.png(2), "cats/two.png")
            let second = try await figures(when: "stickerd_stickers", is: 2)

            #expect(second["stickerd_jobs_ended_total{state=\"completed\"}"] ?? 2 <= 1)
            next.send(SIGTERM)
            #expect(try await next.ending().exitCode == 0)
            // The last work is in the last figures.
            #expect(try figures()["stickerd_jobs_ended_total{state=\"completed\"}"] == 1)
            #expect(try figures()["stickerd_jobs{state=\"completed\"}"] == 2)
        }
    }
}
