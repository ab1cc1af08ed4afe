import StickerCodecs
import StickerModel
import StickerRaster

/// The life of a still: draw, fit, verify, finish.
extension PipelineRun {
    /// Makes a sticker that stands still.
    mutating func makeStill(_ picture: any StillDecoding) throws(Refusal) -> MadeSticker {
        let canvas = try draw(picture)
        return try makeStill(of: canvas)
    }

    /// Makes a sticker that stands still of a finished canvas.
    mutating func makeStill(of canvas: borrowing PixelBuffer) throws(Refusal) -> MadeSticker {
        var sticker = try fit(canvas)
        sticker.encoding.score = try verify(sticker, against: canvas)
        var files = [
            MadeFile(role: .sticker, format: .webp, size: .sticker, bytes: sticker.file)
        ]
        if settings.companions { files.append(try companion(of: canvas)) }
        files += try smallStills(of: canvas)
        return MadeSticker(animated: false, encoding: sticker.encoding, files: files)
    }

    /// Decodes, converts the colours, scales and places the picture on the canvas.
    private mutating func draw(_ picture: any StillDecoding) throws(Refusal) -> PixelBuffer {
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
    mutating func fit(
        _ canvas: borrowing PixelBuffer, step: String = "fit"
    ) throws(Refusal) -> StillFit.Found {
        let target = settings.stillBytesMax * 99 / 100
        var fit = StillFit(target: target, qualityMin: settings.qualityMin)
        let start = steps.now
        let found: StillFit.Found?
        do {
            found = try fit.search(canvas)
        } catch {
            throw Refusal(error)
        }
        steps.note(step, since: start, fit.attempts.shown(target: target))
        guard let found else {
            throw Refusal.willNotFit(fit.attempts, target: target, key: "sticker.stillBytesMax")
        }
        return found
    }

    /// Decodes the file again, compares it with the canvas it was made of, and returns the score.
    private mutating func verify(
        _ sticker: StillFit.Found, against canvas: borrowing PixelBuffer
    ) throws(Refusal) -> Double {
        let start = steps.now
        do {
            let decoded = try WebPDecoder.still(sticker.file)
            var verification = Verification(encoding: sticker.encoding)
            try verification.audit(sticker.file, frames: nil, milliseconds: nil)
            try verification.compare(decoded, with: canvas)
            steps.note("verify", since: start, verification.shown)
            try verification.judge()
            return verification.score
        } catch let error as CodecError {
            throw Refusal(error)
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            preconditionFailure("nothing else is thrown here")
        }
    }

    /// The same picture for consumers without WebP.
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
