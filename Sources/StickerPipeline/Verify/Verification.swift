import StickerCodecs
import StickerContainers
import StickerModel
import StickerRaster

/// What a finished file shows when it is decoded again.
struct Verification {
    /// A lossy sticker nearer than this to its canvas is never taken for it, in dB.
    static let decibelsMin = 25.0

    private let encoding: Encoding
    private var isExact = true
    private var worst = Double.infinity
    private var scores: [Double] = []

    init(encoding: Encoding) { self.encoding = encoding }

    /// For the job log.
    var shown: String {
        isExact
            ? "every pixel equal, score 100"
            : "score \(score.shown), \(worst.shown) dB on white and black"
    }

    /// How close it looks to the original, 0...100 like SSIMULACRA2; of an animation the mean of its
    /// first, middle and last frame.
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

    /// Checks the container, bit by bit, against what WhatsApp and decoders accept.
    func audit(_ file: [UInt8], frames: Int?, milliseconds: Int?) throws(CodecError) {
        let faults = WebPAudit.faults(
            in: file, canvas: .sticker, frames: frames, durationMilliseconds: milliseconds)
        guard faults.isEmpty else {
            throw CodecError(.encoder, .webp, faults.joined(separator: "; "))
        }
    }

    /// Compares one decoded picture with the canvas it was made of.
    mutating func compare(
        _ decoded: borrowing PixelBuffer, with canvas: borrowing PixelBuffer, isScored: Bool = true
    ) throws(CodecError) {
        guard decoded.size == canvas.size else {
            throw CodecError(.encoder, .webp, "the file decodes to \(decoded.size)")
        }
        if canvas.showsSame(as: decoded) {
            if isScored { scores.append(100) }
            return
        }
        if isScored {
            let isFramed = canvas.isFramedRectangle && canvas.hasAlpha(of: decoded)
            let reference = PerceptualReference(canvas, on: isFramed ? .black : .whiteAndBlack)
            scores.append(reference.score(of: decoded))
        }
        isExact = false
        worst = min(worst, canvas.similarity(to: decoded).worst)
    }

    /// Plays an animation back and compares each planned frame with what is shown at its time.
    ///
    /// libwebp shows frames that became equal by coding as one, so times are compared, not counts.
    mutating func play(
        _ file: [UInt8], _ timeline: Timeline, _ source: AnimationSource
    ) throws {
        let player = try WebPAnimationDecoder(file)
        var shown = try player.next()
        var shownUntil = shown?.milliseconds ?? 0
        var time = 0
        let count = timeline.frames.count
        for (index, frame) in timeline.frames.enumerated() {
            while time >= shownUntil, let next = try player.next() {
                shown = next
                shownUntil += next.milliseconds
            }
            guard let shown else { break }
            try source.budget.check(.webp)
            try compare(
                shown.canvas, with: try source.canvas(frame.source).pixels,
                isScored: [0, count / 2, count - 1].contains(index))
            time += frame.milliseconds
        }
        while let rest = try player.next() { shownUntil += rest.milliseconds }
        guard shownUntil == time else {
            throw CodecError(.encoder, .webp, "the file plays \(shownUntil) ms instead of \(time)")
        }
    }

    /// Throws where the file must not be published.
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
            measured: "\(worst.shown) dB", limit: "at least \(Self.decibelsMin.shown) dB",
            remedy: "simplify the picture: less noise, softer texture")
    }
}
