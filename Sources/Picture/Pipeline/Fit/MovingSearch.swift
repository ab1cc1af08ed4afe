import StickerCodecs
import StickerRaster
import StickerValues

/// A search for the file that a target requires of a picture.
protocol FileSearch {
    /// All attempts, in order.
    var attempts: [FitAttempt] { get }
    /// Whether the goal `smallest` was missed.
    var missedScore: Bool { get }
    /// The most bytes of the file: platforms count slightly differently.
    var bytesMax: Int { get }
    /// The file, or `nil` if none fits above the floor.
    mutating func run() throws -> FitAttempt?
}

/// Finds the file that a target requires of an animation: in the first of its forms that fits.
struct MovingSearch: FileSearch {
    let frames: any FrameSource
    let timeline: Timeline
    let target: Target
    let rules: MovingRules
    let matte: SIMD3<UInt8>
    private(set) var attempts: [FitAttempt] = []
    private(set) var missedScore = false

    var bytesMax: Int { rules.bytesMax * 99 / 100 }

    mutating func run() throws(Refusal) -> FitAttempt? {
        for form in rules.forms {
            let found: FitAttempt? =
                switch form {
                case .webp: try webp()
                case .gif: try stepped(.gif(matte: matte))
                case .apng: try stepped(.apng(loopCount: rules.loopCount))
                }
            if let found { return found }
        }
        return nil
    }

    private mutating func webp() throws(Refusal) -> FitAttempt? {
        if target.goal == .smallest {
            var fit = SmallestAnimationFit(
                source: frames, target: bytesMax, qualityMin: target.qualityMin,
                scoreTarget: target.scoreTarget, loopCount: rules.loopCount)
            let found = try fit.search(timeline)
            attempts += fit.attempts
            if let found { return found }
            missedScore = true
        }
        var fit = AnimationFit(
            source: frames, target: bytesMax, qualityMin: target.qualityMin,
            loopCount: rules.loopCount)
        defer { attempts += fit.attempts }
        return try fit.search(timeline)
    }

    private mutating func stepped(
        _ form: SteppedFit.Form
    ) throws(Refusal) -> FitAttempt? {
        var fit = SteppedFit(form, source: frames, target: bytesMax)
        defer { attempts += fit.attempts }
        return try fit.search(timeline)
    }
}
