import StickerRaster

extension Step {
    /// Sets the picture upright.
    ///
    /// It comes after scaling, where there is least to move: a symmetric filter gives the same
    /// pixels either way.
    static func orient(_ orientation: Orientation) -> Step {
        Step(name: "orient") { frame, _ in frame.oriented(orientation) }
    }
}
