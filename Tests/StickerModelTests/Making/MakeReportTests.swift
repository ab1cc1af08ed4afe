import Foundation
import StickerModel
import Testing

struct MakeReportTests {
    private func coded(_ report: MakeReport) throws -> MakeReport {
        try JSONDecoder().decode(MakeReport.self, from: JSONEncoder().encode(report))
    }

    @Test func stickerIsCodedWithoutTheBytesOfItsFiles() throws {
        var log = StepLog()
        log.append(StepEntry("decode", milliseconds: 1.5, "PNG"))
        let file = MadeFile(
            role: .companion, format: .gif, size: PixelSize(width: 3, height: 4), bytes: [1, 2],
            frames: 5, durationMilliseconds: 600)
        let sticker = MadeSticker(animated: true, encoding: Encoding(mode: .lossy), files: [file])

        let report = try coded(
            MakeReport(
                result: .success(sticker), format: .gif, log: log,
                warnings: [Warning("rotated", "why")]))

        var expected = sticker
        expected.files[0].bytes = []
        #expect(try report.result.get() == expected)
        #expect(report.format == .gif)
        #expect(report.log == log)
        #expect(report.warnings == [Warning("rotated", "why")])
    }

    @Test func refusalIsCoded() throws {
        let report = try coded(
            MakeReport(result: .failure(.emptyFile), format: nil, log: StepLog(), warnings: []))

        #expect(throws: Refusal.emptyFile) { try report.result.get() }
        #expect(report.format == nil)
    }

    @Test func reportOfNeitherIsRefused() {
        let report = Data(#"{"log":{"entries":[],"omitted":0},"warnings":[]}"#.utf8)

        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(MakeReport.self, from: report)
        }
    }
}
