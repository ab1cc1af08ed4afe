/// What files that were given up half-way foretell of others: so that few are begun in vain.
struct AnimationOutlook {
    /// Frames that come later may be smaller than those that outgrew the limit.
    private static let caution = 0.6

    /// The least bytes that a frame of an exact file takes, as far as is known.
    private var bytesPerFrame = 0.0

    /// Notes a file that outgrew `bytes` with its frame number `added`.
    ///
    /// - Parameters:
    ///   - added: counted from 1.
    ///   - frames: that the whole file was to have.
    ///   - share: of the bytes of an exact file that its form takes at least.
    ///   - bytes: the limit.
    /// - Returns: the bytes that the whole file would have had, about.
    mutating func note(
        _ added: Int, of frames: Int, share: Double, reaching bytes: Int
    ) -> Int {
        // The first frame is whole, and tells nothing of the others.
        if added > 2 {
            bytesPerFrame = max(bytesPerFrame, Double(bytes) / Double(added) * Self.caution)
        }
        return max(bytes + 1, bytes / added * frames)
    }

    /// Whether a file of `frames` frames in a form that takes `share` of an exact one may stay under
    /// `bytes`.
    func isWorthwhile(frames: Int, share: Double, under bytes: Int) -> Bool {
        bytesPerFrame * Double(frames) * share <= Double(bytes)
    }
}
