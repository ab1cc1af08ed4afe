import CoreMetrics
import Dispatch
import Testing

@testable import StickerMetrics

/// The stored figures.
struct MetricRegistryTests {
    private let events = MetricFamily(.counter, "test_events_total", "Events.", labels: ["kind"])
    private let level = MetricFamily(.gauge, "test_level", "A level.")
    private let sizes = MetricFamily(.histogram([1, 10]), "test_sizes", "Sizes.")

    private func lines(_ registry: MetricRegistry, _ name: String) -> [String] {
        registry.text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(name) }
    }

    @Test func everythingThatManyThreadsCountIsThere() {
        let registry = MetricRegistry([events, level, sizes])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<1000 {
                events.counter("k\(number % 7)", in: registry).increment()
                sizes.histogram(in: registry).record(number % 20)
                level.gauge(in: registry).increment(by: thread % 2 == 0 ? 1 : -1)
                if number % 100 == 0 { #expect(registry.text.hasSuffix("\n")) }
            }
        }

        let counts = lines(registry, "test_events_total{").compactMap {
            Int($0.split(separator: " ").last ?? "")
        }
        #expect(counts.count == 7 && counts.reduce(0, +) == 8000)
        #expect(
            lines(registry, "test_sizes") == [
                "test_sizes_bucket{le=\"1\"} 800", "test_sizes_bucket{le=\"10\"} 4400",
                "test_sizes_bucket{le=\"+Inf\"} 8000", "test_sizes_sum 76000",
                "test_sizes_count 8000",
            ])
        #expect(lines(registry, "test_level") == ["test_level 0"])
    }

    @Test func moreLabelsThanAllowedAreCountedTogether() {
        let registry = MetricRegistry([events])
        for number in 0..<1000 { events.counter("k\(number)", in: registry).increment() }
        events.counter("k0", in: registry).increment()

        let found = lines(registry, "test_events_total{")

        #expect(found.count == MetricRegistry.seriesMax + 1)
        #expect(found.contains("test_events_total{kind=\"k0\"} 2"))
        #expect(found.contains("test_events_total{kind=\"other\"} 900"))
    }

    @Test func whatWasNotDeclaredDoesNothing() {
        let registry = MetricRegistry([events, level])
        let before = registry.text
        Counter(label: "test_unknown_total", factory: registry).increment()
        Counter(label: "test_level", factory: registry).increment()
        Counter(label: "test_events_total", factory: registry).increment()
        Counter(label: "test_events_total", dimensions: [("other", "a")], factory: registry)
            .increment()
        Meter(label: "test_events_total", dimensions: [("kind", "a")], factory: registry).set(3)
        Recorder(label: "test_level", factory: registry).record(1)

        #expect(registry.text == before)
    }

    @Test func counterNeverFallsAndNoHistogramIsSpoilt() {
        let registry = MetricRegistry([events, sizes])
        let sum = events.sum("a", in: registry)
        sum.increment(by: 1.5)
        sum.increment(by: -7)
        sum.increment(by: Double.nan)
        sizes.histogram(in: registry).record(Double.nan)
        sizes.histogram(in: registry).record(Double.infinity)

        #expect(lines(registry, "test_events") == ["test_events_total{kind=\"a\"} 1.5"])
        #expect(lines(registry, "test_sizes_count") == ["test_sizes_count 0"])
    }

    @Test func whatIsDestroyedIsGone() {
        let registry = MetricRegistry([events])
        let counter = events.counter("a", in: registry)
        counter.increment()
        events.counter("b", in: registry).increment()
        counter.destroy()

        #expect(lines(registry, "test_events") == ["test_events_total{kind=\"b\"} 1"])
    }

    @Test func followedTotalGoesOnAfterARestart() {
        let registry = MetricRegistry([events])
        var follower = TotalFollower(events.sum("a", in: registry))
        for total in [3.0, 5, 5, 2, 4] { follower.follow(total) }

        #expect(lines(registry, "test_events") == ["test_events_total{kind=\"a\"} 9"])
    }

    @Test func processIsMeasured() throws {
        let registry = MetricRegistry(ProcessMetrics.families("test"))
        let process = ProcessMetrics("test", version: "1.2", in: registry)
        process.refresh()

        #expect(lines(registry, "test_build_info") == ["test_build_info{version=\"1.2\"} 1"])
        for name in ["test_resident_memory_bytes", "test_open_files", "test_start_time_seconds"] {
            let value = try #require(lines(registry, name).first?.split(separator: " ").last)
            #expect(Double(value) ?? 0 > 0, "\(name)")
        }
        #expect(lines(registry, "test_cpu_seconds_total").count == 2)
    }
}
