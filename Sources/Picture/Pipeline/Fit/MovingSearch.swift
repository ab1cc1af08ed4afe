import StickerCodecs
import StickerModel
import StickerRaster

/// Finds the file that a target requires of an animation: in the first of its forms that fits.
struct MovingSearch {
    let target: Target
    let rules: MovingRules
    let matte: SIMD3<UInt8>
    let frames: any FrameSource
    /// All attempts, in order.
    private(set) var attempts: [FitAttempt] = []
    /// Whether the goal `smallest` was missed.
    private(set) var missedScore = false

    init(
        _ target: Target, _ rules: MovingRules, matte: SIMD3<UInt8>, of frames: any FrameSource
    ) {
        self.target = target
        self.rules = rules
        self.matte = matte
        self.frames = frames
    }

    /// The most bytes of the file: platforms count slightly differently.
    var bytesMax: Int { rules.bytesMax * 99 / 100 }

    /// The file, or `nil` if none fits above the floor.
    mutating func run(_ timeline: Timeline) throws(Refusal) -> FitAttempt? {
        for form in rules.forms {
            let found: FitAttempt? =
                switch form {
                case .webp: try webp(timeline)
                case .gif: try stepped(.gif(matte: matte), timeline)
                case .apng: try stepped(.apng(loopCount: rules.loopCount), timeline)
                }
            if let found { return found }
        }
        return nil
    }

    private mutating func webp(_ timeline: Timeline) throws(Refusal) -> FitAttempt? {
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
        _ form: SteppedFit.Form, _ timeline: Timeline
    ) throws(Refusal) -> FitAttempt? {
        var fit = SteppedFit(form, source: frames, target: bytesMax)
        defer { attempts += fit.attempts }
        return try fit.search(timeline)
    }
}
