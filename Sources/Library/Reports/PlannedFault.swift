import StickerContainers
import StickerStore

/// A fixed fault, and how many stickers it may concern.
public struct PlannedFault: Encodable, Hashable, Sendable {
    /// Its name.
    public let fault: String
    /// One sentence.
    public let sentence: String
    /// The number of stickers; one may be counted for several faults.
    public let stickers: Int
    /// Whether these are wrong; otherwise only a default changed.
    public let isWrong: Bool

    /// The faults of all categories.
    static func all(in categories: [StaleCategory]) -> [PlannedFault] {
        MendedFault.all.compactMap { fault in
            let stickers = categories.reduce(0) { $0 + ($1.faults[fault.name] ?? 0) }
            guard stickers > 0 else { return nil }
            return PlannedFault(
                fault: fault.name, sentence: fault.sentence, stickers: stickers,
                isWrong: fault.effect == .wrong)
        }
    }
}
