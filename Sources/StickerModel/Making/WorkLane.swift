/// The lane that a picture is made on: what it may take, and for how long.
public struct WorkLane: Sendable {
    /// Whether the picture is known to be expensive and may take everything that the limits allow.
    public var isLarge: Bool
    /// Asks, before the work begins, whether a picture that will take long may be made on this lane. If so,
    /// the lane counts as held by a long job from then on.
    public var admitLong: @Sendable () -> Bool
    /// Whether the lane is needed for another job; polled a few times a second while waiting for another
    /// process.
    public var shouldYield: @Sendable () -> Bool

    /// Creates a lane; see the properties.
    public init(
        isLarge: Bool, admitLong: @escaping @Sendable () -> Bool = { true },
        shouldYield: @escaping @Sendable () -> Bool
    ) {
        self.isLarge = isLarge
        self.admitLong = admitLong
        self.shouldYield = shouldYield
    }

    /// The lane of a caller that makes one picture and nothing else.
    public static let only = WorkLane(isLarge: true) { false }
}
