import StickerConfiguration
import StickerValues
import Testing

@testable import StickerReports

/// A text for maintainers, whose parts do not hold one another up.
struct SupportReportTests {
    private struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    private var report: SupportReport {
        SupportReport(introduction: ["hello"], without: SecretText(Configuration()))
    }

    private func text(_ report: SupportReport) -> String {
        String(decoding: report.bytes, as: UTF8.self)
    }

    @Test func partThatFailsSaysWhyAndTheOthersAreThere() {
        var report = report

        report.add("One") { throw Trouble(description: "no\u{1B}[2J") }
        report.add("Two") { ["2", "a\nb"] }
        report.add("Three") { [] }

        #expect(
            text(report) == """
                # stickerd report

                hello

                ## One

                this is missing: no\\u{1b}[2J

                ## Two

                2
                a
                b

                ## Three

                nothing

                """)
    }

    @Test func longPartsLoseTheirBeginningOrTheirEnd() {
        var report = report
        let lines = (1...9).map { "line \($0)" }

        report.add("End", bytesMax: 14) { lines }
        report.add("Start", bytesMax: 20, leavingOut: .start) { lines }

        #expect(text(report).contains("## End\n\nline 1\nline 2\n(7 lines left out)\n"))
        #expect(text(report).hasSuffix("## Start\n\n(7 lines left out)\nline 8\nline 9\n"))
    }

    @Test func noLineHasASecret() {
        var configuration = Configuration()
        configuration.web.keys = ["tell_nobody"]
        var report = SupportReport(introduction: [], without: SecretText(configuration))

        report.add("Log") { ["GET /?q=tell_nobody"] }
        report.add("Trouble") { throw Trouble(description: "tell_nobody") }

        #expect(!text(report).contains("tell_nobody"))
        #expect(text(report).contains("GET /?q=(not shown)"))
    }

    @Test func wholeIsBounded() {
        var report = report

        report.add("Long", bytesMax: .max) { [String(repeating: "é", count: 1 << 20)] }

        #expect(report.bytes.count <= SupportReport.bytesMax)
        #expect(report.bytes.count > SupportReport.bytesMax - 8)
    }
}
