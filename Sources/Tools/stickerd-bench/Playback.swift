import StickerCodecs
import StickerRaster
import StickerValues

/// The pictures of an animated WebP.
struct Playback {
    private static let samplesMax = 10

    let size: PixelSize
    let frameCount: Int
    /// The playing time, and that of the shortest frame.
    let milliseconds: Int
    let shortestMilliseconds: Int
    /// The pictures at ten points of the playing time: at 5 %, 15 % ... 95 % of it.
    let samples: [DecodedFrame]

    /// Plays `file` twice: for its length, then for its pictures.
    init(_ file: [UInt8]) throws(CodecError) {
        var durations: [Int] = []
        let first = try WebPAnimationDecoder(file)
        while let frame = try first.next() { durations.append(frame.milliseconds) }
        (size, frameCount) = (first.size, first.frameCount)
        milliseconds = durations.reduce(0, +)
        shortestMilliseconds = durations.min() ?? 0
        samples = try Self.samples(of: file, milliseconds: milliseconds)
    }

    private static func samples(
        of file: [UInt8], milliseconds: Int
    ) throws(CodecError) -> [DecodedFrame] {
        let decoder = try WebPAnimationDecoder(file)
        var samples: [DecodedFrame] = []
        var shownUntil = 0
        while let frame = try decoder.next() {
            shownUntil += frame.milliseconds
            // In twentieths of the playing time, so that integers suffice.
            while samples.count < samplesMax,
                (samples.count * 2 + 1) * milliseconds < shownUntil * samplesMax * 2
            {
                samples.append(frame)
            }
        }
        return samples
    }

    /// The similarity of `other`: the mean of the scores at the ten points; `nil` if the size differs or nothing plays.
    func score(of other: Playback) -> Double? {
        guard other.size == size, samples.count == Self.samplesMax,
            other.samples.count == Self.samplesMax
        else { return nil }
        return Figures(
            zip(samples, other.samples).map { own, theirs in
                PerceptualReference(own.canvas).score(of: theirs.canvas)
            }
        ).mean
    }
}
