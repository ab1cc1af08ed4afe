/// A few colours and their indices; fully transparent pixels are one colour.
struct ExactColors {
    private static let slotBits = 10

    /// In the order of insertion.
    private(set) var colors: [UInt32] = []
    private var slots = [Int16](repeating: -1, count: 1 << slotBits)

    init() {}

    /// The index of a colour, or `nil` if it is not there.
    func index(of color: UInt32) -> Int? {
        let index = slots[slot(of: color)]
        return index < 0 ? nil : Int(index)
    }

    /// Adds a colour if it is not there.
    /// - Returns: its index.
    @discardableResult mutating func insert(_ color: UInt32) -> Int {
        let slot = slot(of: color)
        if slots[slot] < 0 {
            precondition(colors.count < 512, "the table is made for a few colours")
            slots[slot] = Int16(colors.count)
            colors.append(color)
        }
        return Int(slots[slot])
    }

    /// Whether `pixels` have at most `count` colours; `count` is at most 256.
    static func areFew(_ pixels: UnsafeBufferPointer<UInt32>, count: Int) -> Bool {
        var table = ExactColors()
        var last: UInt32?
        for pixel in pixels where pixel != last {
            last = pixel
            table.insert(PaletteColor.alpha(pixel) == 0 ? 0 : pixel)
            if table.colors.count > count { return false }
        }
        return true
    }

    /// The slot where a colour is or would be.
    private func slot(of color: UInt32) -> Int {
        var slot = Int((color &* 0x9E37_79B1) >> UInt32(32 - Self.slotBits))
        while slots[slot] >= 0, colors[Int(slots[slot])] != color {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }
}
