/// The cost of a picture, as far as known before decoding.
public enum ForetoldCost: Sendable {
    /// It takes hardly any time.
    case small
    /// It may take some seconds.
    case ordinary
    /// It is slow.
    case long
    /// Unknown: it is a drawing, which is a program.
    case unknown
}

/// The lane of a picture: its resources and time.
public struct WorkLane: Sendable {
    /// Whether the picture is known to be expensive and may use everything that the limits allow.
    public var isLarge: Bool
    /// Whether this is the first attempt, in which a drawing only has a few seconds.
    public var isFirstAttempt: Bool
    /// Called before the work begins: whether a picture of this cost may be made on this lane. From then on, such a job
    /// counts as holding the lane.
    public var admits: @Sendable (ForetoldCost) -> Bool
    /// Whether the lane is needed for another job, given the CPU time of the work so far, or the time that it has
    /// waited for memory; polled a few times a second while waiting.
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

    /// The lane of a caller that makes only one picture.
    public static let only = WorkLane(isLarge: true) { _ in false }
}
