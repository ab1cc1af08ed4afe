import StickerCodecs
import StickerPipeline
import StickerRaster
import StickerValues

/// Size, score and CPU time of each form of a still: the figures of `LosslessForm`.
struct FormTable {
    /// The names of the columns, with tabs between them.
    static let heading = "file\testimate\tform\tlevel\tbytes\tscore\tms"

    /// A line for each form and level.
    private(set) var lines: [String] = []

    /// Encodes the canvas of the picture at `path` in all forms.
    init(path: String) throws {
        guard let canvas = try Canvas(path: path) else { return }
        let judge = PerceptualReference(canvas.pixels)
        let estimate = LosslessEstimate(canvas.pixels)
        let encoder = WebPEncoder(canvas.pixels)
        func add(_ form: String, _ level: Int, _ estimate: Int, _ encode: () throws -> [UInt8])
            throws
        {
            let start = StepClock.thread.now.cpu
            let file = try encode()
            let milliseconds = StepClock.thread.now.cpu - start
            let score = judge.score(of: try WebPDecoder.still(file))
            lines.append(
                "\(path.fileName)\t\(estimate)\t\(form)\t\(level)\t\(file.count)\t\(score)\t\(milliseconds)"
            )
        }
        try add("plain", 4, 0) { try encoder.lossy(quality: 100) }
        let exact = estimate.bytes
        for level in 0...3 { try add("exact", level, exact) { try encoder.lossless(level: level) } }
        for (green, others) in Self.steps {
            let steps = ResidualSteps(green: green, others: others)
            for level in 1...3 {
                try add("\(green) \(others)", level, estimate.bytes(steps)) {
                    try encoder.nearLossless(level: level, steps: steps)
                }
            }
        }
    }

    static let steps = [
        (1, 2), (1, 4), (2, 2), (2, 4), (4, 4), (4, 8), (4, 16), (8, 8), (8, 16), (16, 16),
    ]
}
