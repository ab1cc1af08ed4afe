import StickerCodecs
import StickerValues

/// A few short runs of neighbouring frames that represent a whole animation.
///
/// The first frame of a run is coded completely, the others as changes; the sizes of both kinds predict the size of the
/// whole animation.
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

    /// The approximate lossless size of the whole animation.
    func bytes(level: Int, of source: any FrameSource) throws(Refusal) -> Int {
        foretold(try parts.map { (part) throws(Refusal) in try source.encode(part, level: level) })
    }

    /// The runs, for lossy coding as in `whole`.
    func lossy(
        in whole: LossyAnimation, of source: any FrameSource
    ) throws(Refusal) -> [LossyAnimation] {
        try parts.map { (part) throws(Refusal) in
            try LossyAnimation(part, of: source, in: whole)
        }
    }

    /// The lossy size of the whole animation, and its likely similarity to the original, 0-100; `runs` are those of
    /// `lossy(in:of:)`.
    func judged(
        _ runs: [LossyAnimation], quality: Double, of source: any FrameSource
    ) throws(Refusal) -> (bytes: Int, score: Double) {
        var files: [[UInt8]] = []
        var score = 0.0
        for (run, part) in zip(runs, parts) {
            let file = try run.file(quality: quality, alphaQuality: 100, loopCount: 0)
            files.append(file)
            score += try source.score(of: file, part)
        }
        return (foretold(files), score / Double(parts.count))
    }

    private func foretold(_ files: [[UInt8]]) -> Int {
        var (first, changes, count) = (0, 0, 0)
        for (index, file) in files.enumerated() {
            let sizes = WebPAnimationEncoder.frameSizes(of: file)
            if index == 0 { first = sizes.first ?? 0 }
            changes += sizes.dropFirst().reduce(0, +)
            count += parts[index].frames.count - 1
        }
        guard count > 0 else { return first }
        return first + changes * (frameCount - 1) / count
    }
}
