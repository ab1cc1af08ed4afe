package import StickerRaster

/// The drawing of a frame's rows onto the canvas (PNG specification, third edition, section 11.3.6.2).
package struct FrameBlending {
    private let isOver: Bool
    private let is16Bit: Bool

    /// Draws over the canvas if `isOver`, otherwise replaces it; rows are straight RGBA in `layout`.
    package init(isOver: Bool, layout: SampleLayout) {
        self.isOver = isOver
        is16Bit = layout == .rgba16
    }

    /// Draws a row onto `canvas`, which has the same number of pixels in 8-bit RGBA.
    package func draw(_ row: UnsafeRawBufferPointer, onto canvas: UnsafeMutableRawBufferPointer) {
        let target = canvas.assumingMemoryBound(to: SIMD4<UInt8>.self)
        if is16Bit {
            let source = row.assumingMemoryBound(to: SIMD4<UInt16>.self)
            precondition(source.count >= target.count)
            for x in target.indices { draw(Self.narrowed(source[x]), onto: &target[x]) }
        } else {
            let source = row.assumingMemoryBound(to: SIMD4<UInt8>.self)
            precondition(source.count >= target.count)
            for x in target.indices { draw(source[x], onto: &target[x]) }
        }
    }

    @inline(__always)
    private func draw(_ source: SIMD4<UInt8>, onto target: inout SIMD4<UInt8>) {
        if !isOver || source.w == 255 {
            target = source
        } else if source.w > 0 {
            target = Self.composed(source, over: target)
        }
    }

    /// Porter and Duff's "over" for straight alpha; every sample is rounded once.
    private static func composed(
        _ source: SIMD4<UInt8>, over ground: SIMD4<UInt8>
    ) -> SIMD4<UInt8> {
        let (alpha, below) = (Int32(source.w), Int32(ground.w))
        let (upper, lower) = (alpha * 255, (255 - alpha) * below)
        let whole = upper + lower
        let sum =
            SIMD4<Int32>(truncatingIfNeeded: source) &* upper
            &+ SIMD4<Int32>(truncatingIfNeeded: ground) &* lower
        var pixel = SIMD4<UInt8>(truncatingIfNeeded: (sum &+ whole / 2) / whole)
        pixel.w = UInt8((whole + 127) / 255)
        return pixel
    }

    /// The nearest 8-bit samples.
    private static func narrowed(_ pixel: SIMD4<UInt16>) -> SIMD4<UInt8> {
        SIMD4<UInt8>(truncatingIfNeeded: (SIMD4<UInt32>(truncatingIfNeeded: pixel) &+ 128) / 257)
    }
}
