import StickerCodecs
import StickerContainers
import StickerRaster
import StickerValues

/// The comparison of a finished file, decoded again, with its canvas.
struct Verification {
    /// A lossy sticker less similar to its canvas than this, in dB, is never accepted.
    static let decibelsMin = 25.0

    private let encoding: Encoding
    private let format: ImageFormat
    /// The background colour of half-transparent pixels of a GIF.
    private let matte: SIMD3<UInt8>
    private var isExact = true
    private var worst = Double.infinity
    private var scores: [Double] = []

    init(
        encoding: Encoding, format: ImageFormat, matte: SIMD3<UInt8> = SIMD3(repeating: 255)
    ) {
        self.encoding = encoding
        self.format = format
        self.matte = matte
    }

    /// For the job log.
    var shown: String {
        isExact
            ? "every pixel equal, score 100"
            : "score \(score.asFigure), \(worst.asFigure) dB on white and black"
    }

    /// The similarity to the original, 0...100 like SSIMULACRA2; for an animation, the mean of its first, middle and
    /// last frame.
    var score: Double {
        guard !isExact, !scores.isEmpty else { return 100 }
        return (scores.reduce(0, +) / Double(scores.count) * 100).rounded() / 100
    }

    /// The encoding with its score.
    var scored: Encoding {
        var scored = encoding
        scored.score = score
        return scored
    }

    /// Checks the container in detail against the requirements of platforms and decoders.
    func audit(
        _ file: [UInt8], _ size: PixelSize, frames: Int? = nil, milliseconds: Int? = nil,
        loopCount: Int? = nil
    ) throws(CodecError) {
        let faults =
            switch format {
            case .webp:
                WebPAudit.faults(
                    in: file, canvas: size, frames: frames, durationMilliseconds: milliseconds)
            case .gif:
                GIFAudit.faults(
                    in: file, size: size, frames: frames ?? 1,
                    durationMilliseconds: milliseconds)
            default:
                PNGAudit.faults(
                    in: file, size: size, frames: frames, durationMilliseconds: milliseconds,
                    loopCount: loopCount)
            }
        guard faults.isEmpty else {
            throw CodecError(.encoder, format, faults.joined(separator: "; "))
        }
    }

    /// Compares one decoded picture with its canvas; `known` is its score, if the search found it.
    mutating func compare(
        _ decoded: borrowing PixelBuffer, with canvas: borrowing PixelBuffer, isScored: Bool = true,
        known: Double? = nil
    ) throws(CodecError) {
        guard decoded.size == canvas.size else {
            throw CodecError(.encoder, format, "the file decodes to \(decoded.size)")
        }
        if canvas.showsSame(as: decoded) {
            if isScored { scores.append(100) }
            return
        }
        if isScored {
            scores.append(
                known
                    ?? PerceptualReference(canvas, on: canvas.backgrounds(for: decoded))
                    .score(of: decoded))
        }
        isExact = false
        worst = min(worst, canvas.similarity(to: decoded).worst)
    }

    /// Plays back an animation and compares each planned frame with the picture shown halfway through its time.
    ///
    /// Frames that became equal by coding are shown as one, so times are compared, not counts.
    /// - Returns: the plan with the times of the file, and the number of frames in the file.
    mutating func play(
        _ file: [UInt8], _ timeline: Timeline, _ source: any FrameSource,
        limits: DecodeLimits = DecodeLimits()
    ) throws -> (timeline: Timeline, frames: Int) {
        let player = try FramePlayer(file, format, limits: limits)
        var shown = try player.next()
        var (shownUntil, frames) = (shown?.milliseconds ?? 0, 1)
        var time = 0
        let count = timeline.frames.count
        for (index, frame) in timeline.frames.enumerated() {
            while time + frame.milliseconds / 2 >= shownUntil, let next = try player.next() {
                shown = next
                shownUntil += next.milliseconds
                frames += 1
            }
            guard let shown else { break }
            try source.budget.check(format)
            try compare(
                shown.canvas, with: try source.canvas(frame.source),
                isScored: [0, count / 2, count - 1].contains(index))
            time += frame.milliseconds
        }
        while let rest = try player.next() {
            shownUntil += rest.milliseconds
            frames += 1
        }
        // GIF counts in hundredths of a second.
        guard abs(shownUntil - time) <= (format == .gif ? 10 : 0) else {
            throw CodecError(
                .encoder, format, "the file plays \(shownUntil) ms instead of \(time)")
        }
        return (timeline.ending(at: shownUntil), frames)
    }

    /// A GIF is compared with the picture that it can show.
    private mutating func compare(
        _ decoded: borrowing PixelBuffer, with canvas: Canvas, isScored: Bool
    ) throws(CodecError) {
        guard format == .gif else {
            return try compare(decoded, with: canvas.pixels, isScored: isScored)
        }
        try compare(
            decoded, with: GIFEncoder.shown(canvas.pixels, on: matte), isScored: isScored)
    }

    /// Throws if the file must not be published.
    func judge() throws(Refusal) {
        if encoding.mode == .lossless {
            guard !isExact else { return }
            throw Refusal(
                .verificationFailed, "the lossless file decodes to other pixels",
                remedy: "report it with the file; this is a fault of stickerd")
        }
        guard worst < Self.decibelsMin else { return }
        throw Refusal(
            .willNotFit, "at the quality that fits, the sticker no longer looks like the picture",
            measured: "\(worst.asFigure) dB", limit: "at least \(Self.decibelsMin.asFigure) dB",
            remedy: "simplify the picture: less noise, softer texture")
    }
}
