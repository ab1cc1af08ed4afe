import StickerCodecs
import StickerContainers
public import StickerModel
import StickerRaster

/// The life of a picture from bytes to finished files, in this process.
public struct StickerPipeline: StickerMaking {
    private let isStickerAlone: Bool
    private let clock: StepClock
    private let onStep: @Sendable (StepEntry) -> Void

    /// A pipeline; it keeps no state.
    ///
    /// - Parameters:
    ///   - isStickerAlone: makes nothing but the WebP of the sticker: no companion, poster, thumbnails
    ///     or tray icon.
    ///   - clock: times the steps.
    ///   - onStep: is told each step when it is done.
    public init(
        isStickerAlone: Bool = false, clock: StepClock = .wall,
        onStep: @escaping @Sendable (StepEntry) -> Void = { _ in }
    ) {
        self.isStickerAlone = isStickerAlone
        self.clock = clock
        self.onStep = onStep
    }

    /// Makes a sticker of `source`, or says why not.
    public func make(
        _ source: SourceBytes, recipe: Recipe, limits: DecodeLimits, lane: WorkLane
    ) -> MakeReport {
        var run = PipelineRun(
            settings: recipe.settings, limits: limits, isStickerAlone: isStickerAlone,
            steps: StepRecorder(clock: clock, onStep: onStep))
        let result: Result<MadeSticker, MakeFailure>
        do {
            result = .success(try run.make(source))
        } catch {
            result = .failure(.refused(error))
        }
        return MakeReport(
            result: result, format: run.format, log: run.steps.log, warnings: run.steps.warnings)
    }
}

/// One picture on its way; how stills and animations go on stands in files of their own.
struct PipelineRun {
    let settings: StickerSettings
    let limits: DecodeLimits
    /// The time that all of it may take.
    let budget: WorkBudget
    /// Whether nothing is wanted beside the sticker.
    let isStickerAlone: Bool
    var steps: StepRecorder
    var format: ImageFormat?

    init(
        settings: StickerSettings, limits: DecodeLimits, isStickerAlone: Bool,
        steps: StepRecorder
    ) {
        self.settings = settings
        self.limits = limits
        budget = WorkBudget(limits)
        self.isStickerAlone = isStickerAlone
        self.steps = steps
    }

    /// The part of the canvas that a picture may fill.
    var box: PixelSize {
        let side = PixelSize.sticker.width - 2 * settings.marginPixels
        return PixelSize(width: side, height: side)
    }

    /// Tells the format by the bytes, and goes the way of a still or of an animation.
    mutating func make(_ source: SourceBytes) throws(Refusal) -> MadeSticker {
        let type = ImageFormat.sniff(source)
        guard case .picture(let format) = type else {
            throw Refusal.notAPicture(type, bytes: source.count)
        }
        self.format = format
        switch format {
        case .png: return try makeStill(try open(source, PNGDecoder.self))
        case .jpeg: return try makeStill(try open(source, JPEGDecoder.self))
        case .gif: return try makeAnimation(source)
        case .webp: throw Refusal.notAPicture(.foreign("a WebP picture"), bytes: source.count)
        }
    }

    /// Parses a header and checks it against the limits.
    private mutating func open(
        _ source: SourceBytes, _ decoder: (some StillDecoding).Type
    ) throws(Refusal) -> any StillDecoding {
        let start = steps.now
        do {
            let picture = try decoder.init(source, limits: limits)
            note(picture.header, since: start)
            return picture
        } catch {
            steps.note("open", since: start, error.detail)
            throw Refusal(error)
        }
    }

    /// Logs what a header says.
    mutating func note(_ header: ImageHeader, since start: Double) {
        for warning in header.warnings { steps.warn(warning) }
        steps.note(
            "open", since: start,
            "\(header.format.rawValue.uppercased()) \(header.size), \(header.detail)")
    }

    /// The small stills of a finished canvas.
    mutating func smallStills(of canvas: borrowing PixelBuffer) throws(Refusal) -> [MadeFile] {
        let start = steps.now
        let small: [MadeFile]
        do {
            small = try Refusal.catching {
                try SmallStills(settings: settings, budget: budget).make(from: canvas)
            }
        } catch {
            steps.note("thumbnails", since: start, error.detail)
            throw error
        }
        steps.note(
            "thumbnails", since: start,
            small.map { "\($0.size) \($0.format.rawValue) \($0.bytes.count.grouped) B" }
                .joined(separator: "; "))
        return small
    }
}

extension Refusal {
    fileprivate static func notAPicture(_ type: SniffedType, bytes: Int) -> Refusal {
        guard bytes > 0 else { return .emptyFile }
        let found = if case .foreign(let name) = type { name } else { "of no known picture type" }
        return Refusal(
            .unsupportedFormat, "the bytes are \(found), not PNG, GIF or JPEG",
            remedy: "export the picture as PNG, GIF or JPEG")
    }
}
