import CoreMetrics
import Testing

@testable import StickerMetrics

/// Figures, as Prometheus reads them.
struct MetricTextTests {
    private let jobs = MetricFamily(
        .counter, "test_jobs_total", "Jobs \\ that\nended.", labels: ["state", "of"])
    private let depth = MetricFamily(.gauge, "test_depth", "Waiting jobs.")
    private let times = MetricFamily(
        .histogram([0.5, 1, 2.5]), "test_seconds", "How long it took.", labels: ["step"])

    @Test func textIsWhatPrometheusReads() {
        let registry = MetricRegistry([jobs, depth, times])
        jobs.counter("done", "a", in: registry).increment(by: 2)
        jobs.counter("done", "a", in: registry).increment()
        jobs.counter("bad", "a", in: registry).increment()
        depth.gauge(in: registry).set(-1.5)
        for milliseconds in [500, 501, 900, 9000] {
            times.timer("read", in: registry).recordMilliseconds(milliseconds)
        }

        #expect(
            registry.text == #"""
                # HELP test_jobs_total Jobs \\ that\nended.
                # TYPE test_jobs_total counter
                test_jobs_total{state="bad",of="a"} 1
                test_jobs_total{state="done",of="a"} 3
                # HELP test_depth Waiting jobs.
                # TYPE test_depth gauge
                test_depth -1.5
                # HELP test_seconds How long it took.
                # TYPE test_seconds histogram
                test_seconds_bucket{step="read",le="0.5"} 1
                test_seconds_bucket{step="read",le="1"} 3
                test_seconds_bucket{step="read",le="2.5"} 3
                test_seconds_bucket{step="read",le="+Inf"} 4
                test_seconds_sum{step="read"} 10.901
                test_seconds_count{step="read"} 4

                """#)
    }

    @Test func valuesOfLabelsCannotEndTheirLine() {
        let registry = MetricRegistry([jobs])
        jobs.counter("\"} 1\nx 2", "C:\\new 🎉", in: registry).increment()

        let lines = registry.text.split(separator: "\n")

        #expect(lines.count == 3)
        #expect(lines[2] == #"test_jobs_total{state="\"} 1\nx 2",of="C:\\new 🎉"} 1"#)
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (3, "3"), (-2, "-2"), (0.1, "0.1"), (1e15, "1000000000000000"),
        (1e300, "1e+300"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
        (1_795_484_562.25, "1795484562.25"),
    ])
    func numberIsWrittenAsGoReadsIt(value: Double, text: String) {
        #expect(MetricText.number(value) == text)
        if !value.isNaN { #expect(Double(text) == value) }
    }

    @Test func namesFollowTheRules() {
        for name in ["a", "_a", "stickerd_jobs", "A9_"] { #expect(MetricFamily.isName(name)) }
        for name in ["", "9a", "a-b", "a b", "ä", "a:b"] { #expect(!MetricFamily.isName(name)) }
        for name in ["le", "__name__", "9", ""] { #expect(!MetricFamily.isLabel(name)) }
        #expect(MetricFamily.isLabel("state"))
    }

    @Test func whatHasNoLabelsIsThereFromTheStart() {
        #expect(
            MetricRegistry([depth, jobs]).text == """
                # HELP test_depth Waiting jobs.
                # TYPE test_depth gauge
                test_depth 0

                """)
    }
}
