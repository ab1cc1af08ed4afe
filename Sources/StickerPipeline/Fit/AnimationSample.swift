import StickerCodecs

/// A few short runs of neighbouring frames that stand for a whole animation.
///
/// The first frame of a run is coded whole, the others as changes; the sizes of both kinds, found in
/// the coded runs, foretell the size of the whole.
struct AnimationSample {
    private static let runs = 3
    private static let framesPerRun = 3

    private let parts: [Timeline]
    private let frameCount: Int

    /// Whether the sample is much smaller than the animation.
    let isWorthwhile: Bool

    init(_ timeline: Timeline) {
        let frames = timeline.frames
        frameCount = frames.count
        isWorthwhile = frames.count > Self.runs * Self.framesPerRun * 3 / 2
        let starts =
            isWorthwhile
            ? (0..<Self.runs).map { $0 * (frames.count - Self.framesPerRun) / (Self.runs - 1) }
            : [0]
        let length = isWorthwhile ? Self.framesPerRun : frames.count
        parts = starts.map { Timeline(frames: Array(frames[$0..<($0 + length)])) }
    }

    /// The source frames of the sample.
    var sources: [Int] { parts.flatMap { $0.frames.map(\.source) } }

    /// How many bytes the whole will have, about.
    func bytes<Failure: Error>(
        _ coding: WebPFrameCoding,
        encode: (Timeline, WebPFrameCoding) throws(Failure) -> [UInt8]
    ) throws(Failure) -> Int {
        var (first, changes, count) = (0, 0, 0)
        for (index, part) in parts.enumerated() {
            let sizes = WebPAnimationEncoder.frameSizes(of: try encode(part, coding))
            if index == 0 { first = sizes.first ?? 0 }
            changes += sizes.dropFirst().reduce(0, +)
            count += part.frames.count - 1
        }
        guard count > 0 else { return first }
        return first + changes * (frameCount - 1) / count
    }
}
