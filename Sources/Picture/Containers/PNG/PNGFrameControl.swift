/// The fcTL chunk, about one frame of an APNG (PNG specification, third edition, section 11.3.6.2). The numbers are as
/// stored, unchecked.
package struct PNGFrameControl {
    /// The length of its data in bytes.
    package static let byteCount = 26

    package let sequence: Int
    package let width: Int
    package let height: Int
    package let x: Int
    package let y: Int
    /// Seconds, as a fraction.
    package let delayNumerator: Int
    package let delayDenominator: Int
    /// 0 keeps the frame, 1 clears its area, 2 restores the previous pixels.
    package let disposal: UInt8
    /// 0 replaces the canvas, 1 draws over it.
    package let blend: UInt8

    /// `nil` if `data` has the wrong length.
    package init?(_ data: UnsafeRawBufferPointer) {
        guard data.count == Self.byteCount, let sequence = data.bigEndian32(at: 0),
            let width = data.bigEndian32(at: 4), let height = data.bigEndian32(at: 8),
            let x = data.bigEndian32(at: 12), let y = data.bigEndian32(at: 16),
            let numerator = data.bigEndian16(at: 20), let denominator = data.bigEndian16(at: 22)
        else { return nil }
        (self.sequence, self.width, self.height, self.x, self.y) = (sequence, width, height, x, y)
        (delayNumerator, delayDenominator) = (numerator, denominator)
        (disposal, blend) = (data[24], data[25])
    }

    /// The delay, rounded; a denominator of 0 counts as 100.
    package var delayMilliseconds: Int {
        let parts = delayDenominator == 0 ? 100 : delayDenominator
        return (delayNumerator * 1000 + parts / 2) / parts
    }
}
