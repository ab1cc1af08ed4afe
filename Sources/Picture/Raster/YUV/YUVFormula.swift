import CLanes

/// BT.601 for eight pixels at once: red, green, blue and brightness 0...255, colour differences
/// -112...112, as decoders of VP8 use it (RFC 6386, 9.2).
enum YUVFormula {
    /// The weights of red, green and blue in luminance: the mean of the eye's long and medium cones in
    /// JPEG XL's opsin matrix, in terms of which SSIMULACRA2 judges.
    private static let shares: (red: Float, green: Float, blue: Float) = (0.265, 0.657, 0.078)
    /// Keeps the step small if a pixel is nearly black.
    private static let damping: Float = 8
    private static let stepMax: Float = 40

    @inline(__always)
    static func differences(
        red: Lanes, green: Lanes, blue: Lanes
    ) -> (blue: Lanes, red: Lanes) {
        (
            0.439 * blue - 0.148 * red - 0.291 * green, 0.439 * red - 0.368 * green - 0.071 * blue
        )
    }

    /// The contribution of the colour differences to each channel.
    @inline(__always)
    static func offsets(
        blue: Lanes, red: Lanes
    ) -> (red: Lanes, green: Lanes, blue: Lanes) {
        (1.596 * red, -0.813 * red - 0.391 * blue, 2.018 * blue)
    }

    /// The brightness that gives a pixel with these offsets the luminance of the wanted colour: one
    /// Newton step from `start`. Luminance is taken as the sum of squares of the channels, near enough to
    /// gamma 2.2; channels that are cut off at 0 or 255 do not follow.
    @inline(__always)
    static func brightness(
        from start: Lanes, wanted: (Lanes, Lanes, Lanes),
        offsets: (red: Lanes, green: Lanes, blue: Lanes)
    ) -> Lanes {
        let red = Channel(start + offsets.red, share: shares.red)
        let green = Channel(start + offsets.green, share: shares.green)
        let blue = Channel(start + offsets.blue, share: shares.blue)
        let luminance =
            shares.red * wanted.0 * wanted.0 + shares.green * wanted.1 * wanted.1
            + shares.blue * wanted.2 * wanted.2
        let missing = luminance - (red.luminance + green.luminance + blue.luminance)
        let slope = 2 * (red.slope + green.slope + blue.slope) + damping
        return clamped(start + clamped(missing / slope, -stepMax, stepMax))
    }

    private struct Channel {
        let luminance: Lanes
        let slope: Lanes

        @inline(__always)
        init(_ value: Lanes, share: Float) {
            let shown = YUVFormula.clamped(value)
            let part = share * shown
            luminance = part * shown
            slope = part.replacing(with: 0, where: shown .!= value)
        }
    }

    @inline(__always)
    static func clamped(_ value: Lanes, _ low: Float = 0, _ high: Float = 255) -> Lanes {
        clanes_clamped(value, low, high)
    }

    /// Colour differences, clamped to the range of samples.
    @inline(__always)
    static func limited(_ value: Lanes) -> Lanes { clamped(value, -112, 112) }
}
