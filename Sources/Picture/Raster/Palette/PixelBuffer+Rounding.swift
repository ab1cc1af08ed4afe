extension PixelBuffer {
    /// Red, green and blue rounded to the nearest of 2^`bits` levels; black and white stay, alpha too.
    ///
    /// Equal pixels stay equal, whatever is next to them.
    ///
    /// - Parameter bits: 1...8.
    /// - Returns: a picture of the same size.
    public borrowing func rounded(toBits bits: Int) -> PixelBuffer {
        precondition(1...8 ~= bits)
        let steps = (1 << bits) - 1
        let levels = (0...255).map { level in
            UInt8(((level * steps + 127) / 255 * 255 + steps / 2) / steps)
        }
        var rounded = copy()
        rounded.withUnsafeMutableBytes { bytes in
            for offset in Swift.stride(from: 0, to: bytes.count, by: 4) {
                for channel in offset..<(offset + 3) {
                    bytes[channel] = levels[Int(bytes[channel])]
                }
            }
        }
        return rounded
    }
}
