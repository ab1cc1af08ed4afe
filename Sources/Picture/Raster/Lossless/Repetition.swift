import StickerValues

/// Detects parts of a picture that repeat, as tiles and copies do: lossless coding refers to the first of them, which
/// no estimate from neighbours foresees.
///
/// Runs of eight pixels that are not of one colour are hashed, in every row and at every place, and one in 32 is looked
/// up among those before. The choice depends on the pixels alone, so that a copy is found wherever it lies. Takes
/// 1 ms for a sticker.
public struct Repetition: Sendable {
    private static let length = 8
    private static let factor: UInt32 = 0x9E37_79B1
    private static let sampleBits: UInt32 = 5
    private static let slotBits: UInt32 = 15

    /// The share of the sampled runs, 0 to 1, that occurred before.
    public let share: Double

    /// Whether lossless coding may take much less than any estimate says.
    public var isNotable: Bool { share > 0.1 }

    /// Looks for repeated parts of straight RGBA.
    public init(_ canvas: borrowing PixelBuffer) {
        let oldest = (0..<Self.length).reduce(1 as UInt32) { power, _ in power &* Self.factor }
        var seen = [UInt32](repeating: 0, count: 1 << Self.slotBits)
        var (known, all) = (0, 0)
        let (size, stride) = (canvas.size, canvas.stride)
        canvas.withUnsafeBytes { bytes in
            for y in 0..<size.height {
                let row = UnsafeRawBufferPointer(rebasing: bytes[(y * stride)...].prefix(stride))
                    .bindMemory(to: UInt32.self)
                var (hash, last, run) = (0 as UInt32, 0 as UInt32, 0)
                for x in 0..<size.width {
                    hash = (hash &+ row[x]) &* Self.factor
                    if x >= Self.length { hash &-= row[x - Self.length] &* oldest &* Self.factor }
                    run = row[x] == last ? run + 1 : 0
                    last = row[x]
                    guard x >= Self.length, run < Self.length - 1,
                        hash >> (32 - Self.sampleBits) == 0
                    else { continue }
                    let slot = Int((hash &* Self.factor) >> (32 - Self.slotBits))
                    all += 1
                    if seen[slot] == hash { known += 1 }
                    seen[slot] = hash
                }
            }
        }
        share = all == 0 ? 0 : Double(known) / Double(all)
    }
}
