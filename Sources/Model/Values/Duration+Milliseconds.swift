extension Duration {
    /// The whole duration in milliseconds.
    public var inMilliseconds: Double {
        Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
    }
}
