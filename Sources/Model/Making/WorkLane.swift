/// The cost of a picture, as far as that can be told before it is decoded.
public enum ForetoldCost: Sendable {
    /// It is done at once.
    case small
    /// It may take some seconds.
    case ordinary
    /// It takes long.
    case long
    /// Nothing tells: it is a drawing, which is a program.
    case unknown
}

/// The lane that a picture is made on: what it may take, and for how long.
public struct WorkLane: Sendable {
    /// Whether the picture is known to be expensive and may take everything that the limits allow.
    public var isLarge: Bool
    /// Whether this is the first attempt, in which a drawing has a few seconds only.
    public var isFirstAttempt: Bool
    /// Asks, before the work begins, whether a picture of this cost may be made on this lane. The lane counts as held
    /// by such a job from then on.
    public var admits: @Sendable (ForetoldCost) -> Bool
    /// Whether the lane is needed for another job, given the CPU time that the work has taken so far, or the time that it
    /// has waited for memory; polled a few times a second while waiting.
    public var shouldYield: @Sendable (_ used: Duration) -> Bool

    /// Creates a lane; see the properties.
    public init(
        isLarge: Bool, isFirstAttempt: Bool = false,
        admits: @escaping @Sendable (ForetoldCost) -> Bool = { _ in true },
        shouldYield: @escaping @Sendable (_ used: Duration) -> Bool
    ) {
        self.isLarge = isLarge
        self.isFirstAttempt = isFirstAttempt
        self.admits = admits
        self.shouldYield = shouldYield
    }

    /// The lane of a caller that makes one picture and nothing else.
    public static let only = WorkLane(isLarge: true) { _ in false }
}
