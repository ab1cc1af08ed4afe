import CWebP
import FoundationEssentials
import StickerCodecs
import StickerModel
import StickerPipeline
import StickerRaster

/// One picture made into a sticker, and what that cost.
struct Trial {
    /// Milliseconds of CPU time.
    var total: Double
    /// The same by step, in the order of the pipeline.
    var steps: [(name: String, milliseconds: Double)] = []
    var encoding: Encoding?
    var bytes = 0
    var encodes = 0
    var refusal: String?
    var animated = false

    /// The encoding, including all probes.
    var fit: Double { steps.filter { $0.name == "fit" }.reduce(0) { $0 + $1.milliseconds } }

    /// Everything that the WebP alone needs: from reading to verification and score.
    var webp: Double {
        steps.filter { !["companion", "thumbnails", "poster"].contains($0.name) }
            .reduce(0) { $0 + $1.milliseconds }
    }

    /// Makes the picture at `path` with the default settings, or with room for every canvas.
    init(path: String, stillBytesMax: Int? = nil) throws {
        self = try Self.make(path: path, stillBytesMax: stillBytesMax).trial
    }

    private init(total: Double) { self.total = total }

    fileprivate static func make(
        path: String, stillBytesMax: Int?
    ) throws -> (trial: Trial, file: [UInt8]?) {
        var settings = StickerSettings()
        settings.stillBytesMax = stillBytesMax ?? settings.stillBytesMax
        settings.companions = false
        let source = SourceBytes([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        let start = StepClock.threadCPU.milliseconds
        let report = StickerPipeline(clock: .threadCPU).make(
            source, recipe: Recipe(settings: settings), limits: DecodeLimits())
        var trial = Trial(total: StepClock.threadCPU.milliseconds - start)
        trial.steps = report.log.entries.map { ($0.step, $0.milliseconds) }
        trial.encodes = report.log.entries.lazy.compactMap(\.fit).first?.attempts.count ?? 0
        switch report.result {
        case .failure(.refused(let refusal)):
            trial.refusal = refusal.reason.rawValue
            return (trial, nil)
        case .failure(let failure):
            trial.refusal = "\(failure)"
            return (trial, nil)
        case .success(let made):
            trial.encoding = made.files[0].encoding
            trial.bytes = made.files[0].bytes.count
            trial.animated = made.animated
            return (trial, made.files[0].bytes)
        }
    }
}

/// The canvas that the sticker of a still is made from.
final class Canvas {
    let pixels: PixelBuffer

    /// `nil` if there is none; taken from a lossless sticker, with room for any size.
    init?(path: String) throws {
        guard let file = try Trial.make(path: path, stillBytesMax: 100_000_000).file else {
            return nil
        }
        pixels = try WebPDecoder.still(file)
    }
}

/// libwebp as the simplest program uses it: RGBA to a lossy file, method 4, quality 100.
enum PlainEncode {
    /// Milliseconds of CPU time for one encode of `canvas`.
    static func milliseconds(_ canvas: borrowing PixelBuffer) -> Double {
        let start = StepClock.threadCPU.milliseconds
        canvas.withUnsafeBytes { bytes in
            var output: UnsafeMutablePointer<UInt8>?
            _ = WebPEncodeRGBA(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                Int32(canvas.size.width), Int32(canvas.size.height), Int32(canvas.stride), 100,
                &output)
            WebPFree(output)
        }
        return StepClock.threadCPU.milliseconds - start
    }
}
