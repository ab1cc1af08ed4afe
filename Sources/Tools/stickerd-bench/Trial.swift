import CWebP
import FoundationEssentials
import StickerCodecs
import StickerPipeline
import StickerRaster
import StickerValues

/// One picture made into a sticker, with its cost.
struct Trial {
    /// Milliseconds of CPU time.
    var total: Double
    /// The same by step, in the order of the pipeline.
    var steps: [(name: String, milliseconds: Double)] = []
    var encoding: Encoding?
    /// The WebP.
    var file: [UInt8]?
    var encodes = 0
    var refusal: String?
    var animated = false

    var bytes: Int { file?.count ?? 0 }

    /// The encoding, including all probes.
    var fit: Double { steps.filter { $0.name == "fit" }.reduce(0) { $0 + $1.milliseconds } }

    /// The time for the WebP alone: from reading to verification and score.
    var webp: Double {
        steps.filter { !["companion", "thumbnails", "poster"].contains($0.name) }
            .reduce(0) { $0 + $1.milliseconds }
    }

    /// Makes the picture at `path` with the default settings but for the goal.
    init(path: String, goal: EncodingGoal = .best) throws {
        var settings = StickerSettings()
        settings.goal = goal
        try self.init(path: path, settings: settings)
    }

    /// Makes it losslessly, whatever its size: the file shows the canvases themselves.
    init(exactly path: String) throws {
        var settings = StickerSettings()
        settings.stillBytesMax = 100_000_000
        settings.animatedBytesMax = 2_000_000_000
        try self.init(path: path, settings: settings)
    }

    private init(path: String, settings: StickerSettings) throws {
        var settings = settings
        settings.companions = false
        let source = SourceBytes([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        let start = StepClock.thread.now.cpu
        let report = StickerPipeline().make(
            source, recipe: Recipe(settings: settings), limits: DecodeLimits())
        total = StepClock.thread.now.cpu - start
        steps = report.log.entries.map { ($0.step, $0.cpuMilliseconds ?? 0) }
        encodes = report.log.entries.lazy.compactMap(\.fit).first?.attempts.count ?? 0
        switch report.result {
        case .failure(.refused(let found)):
            refusal = found.reason.rawValue
        case .failure(let failure):
            refusal = "\(failure)"
        case .success(let made):
            encoding = made.files[0].encoding
            file = made.files[0].bytes
            animated = made.animated
        }
    }
}

/// The canvas that the sticker of a still is made from.
final class Canvas {
    let pixels: PixelBuffer

    /// `nil` if there is none.
    init?(path: String) throws {
        guard let file = try Trial(exactly: path).file else { return nil }
        pixels = try WebPDecoder.still(file)
    }
}

/// libwebp in its simplest use: RGBA to a lossy file, method 4, quality 100.
enum PlainEncode {
    /// Milliseconds of CPU time for one encode of `canvas`.
    static func milliseconds(_ canvas: borrowing PixelBuffer) -> Double {
        let start = StepClock.thread.now.cpu
        canvas.withUnsafeBytes { bytes in
            var output: UnsafeMutablePointer<UInt8>?
            _ = WebPEncodeRGBA(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                Int32(canvas.size.width), Int32(canvas.size.height), Int32(canvas.stride), 100,
                &output)
            WebPFree(output)
        }
        return StepClock.thread.now.cpu - start
    }
}
