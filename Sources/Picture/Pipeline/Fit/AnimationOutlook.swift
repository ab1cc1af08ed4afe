/// Predicts sizes from abandoned files, so that few are begun in vain.
struct AnimationOutlook {
    /// Later frames may be smaller than those that outgrew the limit.
    private static let caution = 0.6

    /// The fewest known bytes of a frame of an exact file, on average.
    private var bytesPerFrame = 0.0

    /// Records a file that outgrew `bytes` with frame number `added`.
    ///
    /// - Parameters:
    ///   - added: counted from 1.
    ///   - frames: the planned frames of the whole file.
    ///   - share: the smallest share of an exact file's bytes that its form takes.
    ///   - bytes: the limit.
    /// - Returns: the approximate size of the whole file.
    mutating func note(
        _ added: Int, of frames: Int, share: Double, reaching bytes: Int
    ) -> Int {
        // The first frame is complete, and says nothing about the others.
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
