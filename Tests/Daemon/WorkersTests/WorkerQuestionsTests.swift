import StickerCodecs
import StickerConfiguration
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWorkers

/// Answers come from workers, which nobody has to believe.
struct WorkerQuestionsTests {
    private func worker(
        _ program: String = "stickerd-worker", limits: DecodeLimits = DecodeLimits()
    ) -> WorkerQuestions {
        WorkerQuestions(
            program: Built.path(program), worker: WorkerConfiguration(), limits: limits)
    }

    private func draw(
        _ program: String, _ source: [UInt8], limits: DecodeLimits = DecodeLimits()
    ) throws -> (png: [UInt8], faults: [SheetPage.Fault]) {
        let cell = SheetPage.Cell(
            identifier: StickerID(rawValue: "cat"), bytes: source.count, moves: false, marks: [])
        return try worker(program, limits: limits)
            .draw(SheetPage(cells: [cell]), [:], SourceBytes(source))
    }

    @Test func workerLooksAtFiles() throws {
        let size = PixelSize(width: 40, height: 40)
        let photo = try PNGEncoder.encode(.photo(size))
        let empty = try PNGEncoder.encode(PixelBuffer(size: size))

        let looks = try worker().look(at: [photo, empty, Array(photo.prefix(photo.count / 2))])

        #expect(looks[0].fault == nil && !looks[0].isEmpty && looks[0].appearance != nil)
        #expect(looks[1] == PictureLook(isEmpty: true))
        #expect(looks[2].fault != nil && looks[2].appearance == nil)
        #expect(try worker().look(at: []).isEmpty)
    }

    @Test(arguments: ["abort", "not-json", "no-files", "a-pipe"])
    func lieIsNoLook(lie: String) {
        #expect(throws: WorkerUnavailable.self) {
            try worker("hostile-worker").look(at: [Array(lie.utf8)])
        }
    }

    @Test func workerDrawsASheet() throws {
        let picture = try PNGEncoder.encode(.photo(PixelSize(width: 40, height: 40)))

        let (png, faults) = try draw("stickerd-worker", picture)

        #expect(faults.isEmpty)
        let drawn = try PNGDecoder(SourceBytes(png), limits: DecodeLimits())
        #expect(drawn.header.size == PixelSize(width: 624, height: 232))
    }

    @Test(.needsFonts) func wordsAreDrawnOnASheet() throws {
        let picture = try PNGEncoder.encode(.photo(PixelSize(width: 40, height: 40)))
        let sheets = try ["cat", "dog"].map { name in
            let cell = SheetPage.Cell(
                identifier: StickerID(rawValue: name), bytes: picture.count, moves: false,
                marks: [])
            return try worker().draw(SheetPage(cells: [cell]), SourceBytes(picture)).png
        }

        #expect(sheets[0] != sheets[1])
    }

    @Test func damagedFileIsNamed() throws {
        #expect(
            try draw("stickerd-worker", [1, 2, 3]).faults.map(\.identifier.rawValue) == ["cat"])
    }

    /// Whatever a worker does that a picture has taken over, there is no sheet and no harm.
    @Test(arguments: [
        "abort", "exit-0", "exit-71", "no-files", "not-json", "deep-json", "unsealed",
        "too-many-files", "unknown-message", "twice", "files-alone", "not-a-webp", "a-pipe",
    ])
    func lieIsNoSheet(lie: String) {
        #expect(throws: WorkerUnavailable.self) { try draw("hostile-worker", Array(lie.utf8)) }
    }

    @Test func waitingIsBounded() {
        let error = #expect(throws: WorkerUnavailable.self) {
            try draw("hostile-worker", Array("hang".utf8))
        }
        #expect(error?.description.contains("it took too long") == true)
    }
}
