import StickerRaster

extension Stage {
    /// Sets the picture upright; `nil` if it already is.
    ///
    /// It comes after scaling, when there are fewer pixels to move: a symmetric filter gives the same result.
    static func orient(_ orientation: Orientation) -> Stage? {
        guard orientation != .up else { return nil }
        return Stage(name: "orient") { frame, _ in frame.oriented(orientation) }
    }
}
