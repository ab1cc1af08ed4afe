import StickerCodecs
public import StickerModel
import StickerRaster

/// The life of a picture from bytes to finished files, in this process.
public struct StickerPipeline: StickerMaking {
    /// A pipeline; it keeps no state.
    public init() {}

    /// Makes a sticker of `source`, or says why not.
    public func make(
        _ source: SourceBytes, recipe: Recipe, limits: DecodeLimits
    ) -> MakeReport {
        var run = PipelineRun(settings: recipe.settings, limits: limits)
        let result: Result<MadeSticker, Refusal>
        do {
            result = .success(try run.make(source))
        } catch {
            result = .failure(error)
        }
        return MakeReport(
            result: result, format: run.format, log: run.steps.log, warnings: run.steps.warnings)
    }
}

/// One picture on its way.
private struct PipelineRun {
    let settings: StickerSettings
    let limits: DecodeLimits
    var steps = StepRecorder()
    var format: ImageFormat?

    init(settings: StickerSettings, limits: DecodeLimits) {
        self.settings = settings
        self.limits = limits
    }

    mutating func make(_ source: SourceBytes) throws(Refusal) -> MadeSticker {
        let picture = try open(source)
        let canvas = try draw(picture)
        let sticker = try fit(canvas)
        try verify(sticker, against: canvas)
        return try finish(sticker, canvas)
    }

    /// Tells the format by the bytes and checks the header against the limits.
    private mutating func open(_ source: SourceBytes) throws(Refusal) -> any StillDecoding {
        let start = steps.now
        do {
            let picture: any StillDecoding
            switch ImageFormat.sniff(source) {
            case .picture(.png): picture = try PNGDecoder(source, limits: limits)
            case .picture(.jpeg): picture = try JPEGDecoder(source, limits: limits)
            default: throw notAPicture(ImageFormat.sniff(source), source.count)
            }
            format = picture.header.format
            for warning in picture.header.warnings { steps.warn(warning) }
            let header = picture.header
            steps.note(
                "open", since: start,
                "\(header.format.rawValue.uppercased()) \(header.size), \(header.detail)")
            return picture
        } catch let error as CodecError {
            throw Refusal(error)
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            preconditionFailure("nothing else is thrown here")
        }
    }

    /// Decodes, converts the colours, scales and places the picture on the canvas.
    private mutating func draw(_ picture: any StillDecoding) throws(Refusal) -> PixelBuffer {
        let side = PixelSize.sticker.width - 2 * settings.marginPixels
        let box = PixelSize(width: side, height: side)
        let start = steps.now
        let color = ColorConversion(picture.header)
        for warning in color.warnings { steps.warn(warning) }
        var frame: PixelBuffer
        do {
            frame = try picture.fitted(inside: box, filter: settings.resample, color: color)
        } catch {
            steps.note("decode", since: start, error.detail)
            throw Refusal(error)
        }
        steps.note(
            "decode", since: start,
            (color.isIdentity ? "" : "colours brought to sRGB, ")
                + "scaled to \(frame.size) with \(settings.resample.rawValue)")
        for step in [Step].sticker(orientation: picture.header.orientation) {
            let start = steps.now
            frame = try step.apply(frame, .still)
            steps.note(step.name, since: start, "\(frame.size)")
        }
        return frame
    }

    /// Finds the best WebP under the limit.
    private mutating func fit(_ canvas: borrowing PixelBuffer) throws(Refusal) -> StillFit.Found {
        let target = settings.stillBytesMax * 99 / 100
        var fit = StillFit(target: target, qualityMin: settings.qualityMin)
        let start = steps.now
        let found: StillFit.Found?
        do {
            found = try fit.search(canvas)
        } catch {
            throw Refusal(error)
        }
        let tried = fit.attempts.map(\.shown).joined(separator: "; ")
        steps.note("fit", since: start, "\(tried); limit \(target.grouped) B")
        guard let found else { throw willNotFit(fit.attempts, target) }
        return found
    }

    /// Decodes the file again and compares it with the canvas it was made of.
    private mutating func verify(
        _ sticker: borrowing StillFit.Found, against canvas: borrowing PixelBuffer
    ) throws(Refusal) {
        let start = steps.now
        let verdict: Verification
        do {
            verdict = try Verification(of: sticker.file, encoding: sticker.encoding, canvas: canvas)
        } catch {
            throw Refusal(error)
        }
        steps.note("verify", since: start, verdict.shown)
        if let refusal = verdict.refusal { throw refusal }
    }

    private mutating func finish(
        _ sticker: borrowing StillFit.Found, _ canvas: borrowing PixelBuffer
    ) throws(Refusal) -> MadeSticker {
        var files = [
            MadeFile(role: .sticker, format: .webp, size: .sticker, bytes: sticker.file)
        ]
        if settings.companions { files.append(try companion(of: canvas)) }
        let start = steps.now
        let small = try SmallStills(settings: settings).make(from: canvas)
        steps.note(
            "thumbnails", since: start,
            small.map { "\($0.size) \($0.format.rawValue) \($0.bytes.count.grouped) B" }
                .joined(separator: "; "))
        return MadeSticker(animated: false, encoding: sticker.encoding, files: files + small)
    }

    private mutating func companion(of canvas: borrowing PixelBuffer) throws(Refusal) -> MadeFile {
        let start = steps.now
        do {
            let bytes = try PNGEncoder.encode(canvas)
            steps.note("companion", since: start, "png \(bytes.count.grouped) B")
            return MadeFile(role: .companion, format: .png, size: canvas.size, bytes: bytes)
        } catch {
            throw Refusal(error)
        }
    }
}

private func notAPicture(_ type: SniffedType, _ bytes: Int) -> Refusal {
    guard bytes > 0 else {
        return Refusal(
            .emptyFile, "the file has no content", measured: "0 B", limit: "at least 1 byte",
            remedy: "copy the file again")
    }
    let found = if case .foreign(let name) = type { name } else { "of no known picture type" }
    return Refusal(
        .unsupportedFormat, "the bytes are \(found), not PNG, GIF or JPEG",
        remedy: "export the picture as PNG, GIF or JPEG")
}

private func willNotFit(_ attempts: [FitAttempt], _ target: Int) -> Refusal {
    let best = attempts.sorted { $0.bytes < $1.bytes }.prefix(3).map(\.shown)
    return Refusal(
        .willNotFit,
        "no encoding above the quality floor fits; nearest: \(best.joined(separator: "; "))",
        measured: "\((attempts.map(\.bytes).min() ?? 0).grouped) B",
        limit: "\(target.grouped) B, 99 % of sticker.stillBytesMax",
        remedy: "simplify the picture (less noise, softer texture), or lower sticker.qualityMin")
}
