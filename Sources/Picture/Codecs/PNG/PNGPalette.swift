import StickerRaster

/// The colours of a picture that has at most 256 of them, and the index of each.
struct PNGPalette {
    /// The colours as read from memory; translucent ones come first.
    private(set) var colors: [UInt32] = []
    private var slots = [Int16](repeating: -1, count: slotCount)

    private static let slotCount = 1024

    /// `nil` if `pixels`, RGBA, have more than 256 colours.
    init?(_ pixels: UnsafeBufferPointer<UInt32>) {
        var last: UInt32?
        for pixel in pixels where pixel != last {
            last = pixel
            let slot = slot(of: pixel)
            guard slots[slot] < 0 else { continue }
            guard colors.count < 256 else { return nil }
            slots[slot] = Int16(colors.count)
            colors.append(pixel)
        }
        sort()
    }

    /// Bits that an index needs: 1, 2, 4 or 8, the depths that PNG has.
    var indexBits: Int {
        switch colors.count {
        case ...2: 1
        case ...4: 2
        case ...16: 4
        default: 8
        }
    }

    /// The index of `pixel`, which must be in the palette.
    func index(of pixel: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: slots[slot(of: pixel)])
    }

    /// The fourth byte in memory, whatever the byte order.
    static func alpha(_ pixel: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: UInt32(littleEndian: pixel) >> 24)
    }

    /// Equal pictures make equal files thanks to a stable order.
    private mutating func sort() {
        let translucent = colors.filter { Self.alpha($0) < 255 }.sorted()
        colors = translucent + colors.filter { Self.alpha($0) == 255 }.sorted()
        slots = [Int16](repeating: -1, count: Self.slotCount)
        for (index, color) in colors.enumerated() { slots[slot(of: color)] = Int16(index) }
    }

    /// The slot where `pixel` is or would be; the table is never more than a quarter full.
    private func slot(of pixel: UInt32) -> Int {
        var slot = Int((pixel &* 0x9E37_79B1) >> 22)
        while slots[slot] >= 0, colors[Int(slots[slot])] != pixel {
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return slot
    }
}
