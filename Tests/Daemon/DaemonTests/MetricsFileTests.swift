import Foundation
import StickerMetrics
import StickerReports
import StickerStore
import StickerTestSupport
import StickerValues
import StickerWatch
import Testing

@testable import StickerDaemon

/// The contents of `run/metrics.prom`.
struct MetricsFileTests {
    private let workshop: Workshop
    private let registry = MetricRegistry(DaemonFamilies.all)
    private let work: WorkMetrics

    init() throws {
        workshop = try Workshop()
        work = WorkMetrics(in: registry)
    }

    private var path: String { workshop.folder.path("run/metrics.prom") }

    /// The lines of the file that are no comments, by name and labels.
    private func figures() throws -> [String: Double] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            uniqueKeysWithValues: try lines.map { line in
                let end = try #require(line.lastIndex(of: " "))
                let value = Double(line[line.index(after: end)...])
                return (String(line[..<end]), try #require(value))
            })
    }

    /// One turn of the pool: books `finished`, and claims a job.
    private func turn(_ finished: [FinishedJob] = []) throws -> Turn {
        let turn = try workshop.store.queue.turn(finished: finished, claiming: .any(1))
        work.note(
            PoolTurn(
                start: .now, turn: turn, finished: finished, isIdle: false, shortage: Shortage()))
        return turn
    }

    /// Does everything that waits, as the pool does.
    private func workOff() throws {
        let executor = workshop.executor()
        var claimed = try turn().claimed
        while !claimed.isEmpty {
            let results = claimed.map { executor.run($0, on: .only) }
            var finished = results.filter { $0.staged == nil }.map(\.finished)
            let staged = results.filter { $0.staged != nil }
            if !staged.isEmpty {
                let placed = executor.place(staged)
                work.note(placed: staged, placed)
                finished += placed
            }
            claimed = try turn(finished).claimed
        }
    }

    @Test func figuresAgreeWithWhatHappened() throws {
        try workshop.drop("cats/a.png", "a cat")
        try workshop.drop("cats/b.png", "another cat")
        try workOff()
        workshop.maker.fail(.refused(Refusal(.tooLong, "it plays too long", remedy: "shorten it")))
        try workshop.drop("dogs/c.png", "a dog")
        try workOff()
        let manifestBytes = try publish("cats")
        var file = MetricsFile(registry, settings: workshop.settings)
        file.gauges.take(try workshop.store.operations.status())
        file.gauges.take(
            try AttentionReport(
                workshop.store, refused: workshop.store.operations.status().needAttention, live: nil
            ))
        try file.write()

        let figures = try figures()

        for (name, value) in [
            "stickerd_jobs{state=\"completed\"}": 2.0, "stickerd_jobs{state=\"discarded\"}": 1,
            "stickerd_jobs{state=\"available\"}": 0, "stickerd_stickers": 2,
            "stickerd_categories": 1, "stickerd_attention_items{kind=\"refused\"}": 1,
            "stickerd_attention_items{kind=\"held\"}": 0,
            "stickerd_refused_files{reason=\"too-long\"}": 1,
            "stickerd_attempts_total{outcome=\"made\"}": 2,
            "stickerd_attempts_total{outcome=\"refused\"}": 1,
            "stickerd_jobs_ended_total{state=\"completed\"}": 2,
            "stickerd_jobs_ended_total{state=\"discarded\"}": 1,
            "stickerd_refusals_total{reason=\"too-long\"}": 1,
            "stickerd_refusals_total{reason=\"corrupt\"}": 0,
            "stickerd_step_duration_seconds_count{step=\"read\"}": 3,
            "stickerd_step_duration_seconds_count{step=\"store\"}": 2,
            "stickerd_job_latency_seconds_count{priority=\"fresh\"}": 2,
            "stickerd_manifest_write_duration_seconds_bucket{le=\"0.005\"}": 1,
        ] {
            #expect(figures[name] == value, "\(name)")
        }
        let pictures = try sizes(below: "out/_")
        #expect(
            figures["stickerd_files_written_total{kind=\"pictures\"}"] == Double(pictures.count))
        #expect(
            figures["stickerd_written_bytes_total{kind=\"pictures\"}"]
                == Double(pictures.reduce(0, +)))
        #expect(figures["stickerd_files_written_total{kind=\"manifests\"}"] == 1)
        #expect(
            figures["stickerd_written_bytes_total{kind=\"manifests\"}"] == Double(manifestBytes))
    }

    /// Writes the manifest of a category as the publisher does; its bytes.
    private func publish(_ category: String) throws -> Int {
        let catalog = CatalogPublisher(catalog: workshop.store.catalog, objects: workshop.objects)
        let manifest = try #require(try catalog.write(CategoryID(rawValue: category)))
        try catalog.book([manifest])
        work.note(manifest, took: .milliseconds(3))
        return try sizes(below: "out/\(category)").reduce(0, +)
    }

    private func sizes(below folder: String) throws -> [Int] {
        let folder = workshop.folder.path(folder)
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .map { try FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)") }
            .filter { $0[.type] as? FileAttributeType == .typeRegular }
            .compactMap { $0[.size] as? Int }
    }

    @Test func deathOfAWorkerIsCountedByItsReason() throws {
        workshop.maker.fail(
            .worker(Refusal(.decoderCrashed, "killed by signal 11", remedy: "export it again")))
        try workshop.drop("cats/a.png", "a cat")
        try workOff()
        try MetricsFile(registry, settings: workshop.settings).write()

        let figures = try figures()

        #expect(figures["stickerd_worker_deaths_total{reason=\"decoder-crashed\"}"] == 2)
        #expect(figures["stickerd_attempts_total{outcome=\"worker-failed\"}"] == 2)
        #expect(figures["stickerd_refusals_total{reason=\"decoder-crashed\"}"] == 1)
    }

    @Test func stepsThatAWorkerInventsAddNoLines() throws {
        var finished = FinishedJob(
            job: workshop.job("cats/a.png"), outcome: .yielded(isForeseen: true), log: StepLog())
        for number in 0..<50 {
            finished.log.append(StepEntry("step\(number)\" 1\n", milliseconds: 1, ""))
        }
        let nothing = try workshop.store.queue.turn(finished: [], claiming: .any(0))
        work.note(
            PoolTurn(
                start: .now, turn: nothing, finished: [finished], isIdle: true,
                shortage: Shortage()))
        try MetricsFile(registry, settings: workshop.settings).write()

        let steps = try figures().filter {
            $0.key.hasPrefix("stickerd_step_duration_seconds_count")
        }

        #expect(steps == ["stickerd_step_duration_seconds_count{step=\"other\"}": 50])
    }

    @Test func reasonThatIsGoneIsShownAsNone() throws {
        var status = try workshop.store.operations.status()
        var file = MetricsFile(registry, settings: workshop.settings)
        status.reasons = ["corrupt": 3]
        file.gauges.take(status)
        status.reasons = [:]
        file.gauges.take(status)
        try file.write()

        #expect(try figures()["stickerd_refused_files{reason=\"corrupt\"}"] == 0)
    }

    @Test func overflowsAndScansCountOnWhenWatchingStartsAgain() throws {
        var file = MetricsFile(registry, settings: workshop.settings)
        for (overflows, scans) in [(2, 5), (0, 1), (1, 2)] {
            var watch = WatchStatus()
            (watch.overflows, watch.scans) = (overflows, scans)
            file.gauges.take(
                StatusLine(store: try workshop.store.operations.status(), watch: watch, drops: 1))
        }
        try file.write()

        #expect(try figures()["stickerd_inotify_overflows_total"] == 3)
        #expect(try figures()["stickerd_scans_total"] == 7)
    }

    @Test func whatIsInTheWayIsShownByItsKind() throws {
        let file = MetricsFile(registry, settings: workshop.settings)
        var obstacles = Obstacles()
        _ = obstacles.set(.space, "no space", now: .now)
        file.gauges.take(obstacles)
        try file.write()

        #expect(try figures()["stickerd_obstacle{kind=\"space\"}"] == 1)
        #expect(try figures()["stickerd_obstacle{kind=\"store\"}"] == 0)
        let free = try #require(try figures()["stickerd_free_bytes{folder=\"out\"}"])
        #expect(free > 0)
    }

    @Test func fileIsReplacedWholeAndNotMoreOftenThanNeeded() throws {
        var file = MetricsFile(registry, settings: workshop.settings)
        let start = ContinuousClock.now
        try file.writeIfDue(start)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix("# HELP stickerd_build_info ") && text.hasSuffix("\n"))
        try workshop.folder.write(Array("not again".utf8), to: "run/metrics.prom")

        try file.writeIfDue(start + .seconds(4))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "not again")
        try file.writeIfDue(start + .seconds(5))

        #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("# HELP"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: workshop.folder.path("run"))
                == ["metrics.prom"])
    }

    @Test func folderThatIsMissingIsAnError() throws {
        try FileManager.default.removeItem(atPath: workshop.folder.path("run"))
        let file = MetricsFile(registry, settings: workshop.settings)
        #expect(throws: (any Error).self) { try file.write() }
    }

    @Test func manualNamesEveryMetric() throws {
        let page = String(
            decoding: try Repository.data("deploy/man/stickerd.8"), as: UTF8.self)
        for family in DaemonFamilies.all {
            let name = family.name.dropFirst("stickerd_".count)
            #expect(page.contains(".It Va \(name)") || page.contains(" , \(name)"), "\(name)")
        }
    }
}
