/// The visibility of errors in a macroblock, by libwebp's measure: the spread of its coefficients.
struct Susceptibility {
    /// Coefficients by magnitude / 8.
    private var counts = InlineArray<32, Int32>(repeating: 0)

    /// Adds the coefficients of four blocks.
    mutating func add(_ strip: BlockStrip) {
        for index in 0..<16 {
            let bins = (strip.coefficients[index].magnitude * 0.125)
            for lane in 0..<4 { counts[min(Int(bins[lane]), 31)] += 1 }
        }
    }

    /// From 0 (smooth) to 510 x 31.
    var spread: Int {
        var (peak, last) = (0, 0)
        for bin in 0..<32 where counts[bin] > 0 {
            peak = max(peak, Int(counts[bin]))
            last = bin
        }
        return peak > 1 ? 510 * last / peak : 0
    }
}
