import StickerValues
import Testing

struct StepLogTests {
    @Test func stepsStayInOrder() {
        var log = StepLog()

        log.append(StepEntry("read", milliseconds: 1, "12 bytes"))
        log.append(StepEntry("decode", milliseconds: 2.5, "PNG 4x4"))

        #expect(log.entries.map(\.step) == ["read", "decode"])
        #expect(log.omitted == 0)
    }

    @Test func middleOfALongLogIsLeftOut() {
        var log = StepLog()
        let count = StepLog.entriesMax * 3

        for index in 0..<count { log.append(StepEntry("\(index)", milliseconds: 0, "")) }

        let half = StepLog.entriesMax / 2
        let kept = Array(0..<half) + Array((count - half)..<count)
        #expect(log.entries.map(\.step) == kept.map { "\($0)" })
        #expect(log.omitted == count - StepLog.entriesMax)
    }

    @Test func appendedLogAddsWhatItLeftOut() {
        var inner = StepLog()
        for index in 0..<(StepLog.entriesMax + 5) {
            inner.append(StepEntry("\(index)", milliseconds: 0, ""))
        }
        var outer = StepLog()
        outer.append(StepEntry("first", milliseconds: 0, ""))

        outer.append(contentsOf: inner)

        #expect(outer.entries.count == StepLog.entriesMax)
        #expect(outer.entries.first?.step == "first")
        #expect(outer.omitted == 6)
    }

    @Test(arguments: [
        String(repeating: "x", count: 10_000), String(repeating: "漢", count: 10_000),
        String(repeating: "👨‍👩‍👧‍👦", count: 1000), "a" + String(repeating: "\u{301}", count: 10_000),
    ])
    func detailIsBoundedInBytes(detail: String) throws {
        var log = StepLog()

        log.append(StepEntry("decode", milliseconds: 0, detail))

        let kept = try #require(log.entries.first).detail
        #expect(kept.utf8.count <= StepLog.detailMax)
        #expect(kept.hasSuffix("…"))
        #expect(detail.hasPrefix(kept.dropLast()))
    }

    @Test func detailOfExactlyTheLimitIsWhole() {
        let detail = String(repeating: "é", count: StepLog.detailMax / 2)
        var log = StepLog()

        log.append(StepEntry("decode", milliseconds: 0, detail))

        #expect(log.entries.first?.detail == detail)
    }
}
