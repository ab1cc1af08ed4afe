/// Up to 255 colours and their places in a colour table; place 0 is reserved for transparency.
struct FrameColorTable {
    /// The most colours that the format has room for.
    static let colorsMax = 255
    private static let slotBits = 10

    /// The most colours that this table takes.
    let countMax: Int
    /// In the order of their places, from 1.
    private(set) var colors: [UInt32] = []
    /// Places by hash, with linear probing; 0 is free.
    private var slots = [UInt8](repeating: 0, count: 1 << slotBits)

    init(countMax: Int = colorsMax) { self.countMax = countMax }

    /// The place of a colour, or 0 if it has none.
    func place(of color: UInt32) -> UInt8 { slots[slot(for: color)] }

    /// Gives a colour a place unless it already has one.
    /// - Returns: whether it has one; the table may be full.
    mutating func insert(_ color: UInt32) -> Bool {
        let slot = slot(for: color)
        guard slots[slot] == 0 else { return true }
        guard colors.count < countMax else { return false }
        colors.append(color)
        slots[slot] = UInt8(colors.count)
        return true
    }

    /// Gives all of `others` a place, or none of them.
    /// - Returns: whether they have one.
    mutating func insert(all others: [UInt32]) -> Bool {
        let missing = others.filter { place(of: $0) == 0 }
        guard colors.count + missing.count <= countMax else { return false }
        for color in missing { _ = insert(color) }
        return true
    }

    /// The slot of a colour, or the free one where it would go.
    private func slot(for color: UInt32) -> Int {
        var slot = Int((color &* 0x9E37_79B1) >> UInt32(32 - Self.slotBits))
        while slots[slot] != 0, colors[Int(slots[slot]) - 1] != color {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }
}
