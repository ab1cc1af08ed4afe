public import FoundationEssentials
public import StickerValues

/// A worker's order without the source: sent along with that, as JSON in a sealed memory file.
public protocol WorkerOrder: Codable {}

extension WorkerOrder {
    /// Reads an order.
    ///
    /// - Throws: a decoding error; it is no such order of this release.
    public init(json: Data) throws { self = try JSONDecoder().decode(Self.self, from: json) }

    /// Encodes the order for a worker.
    func json() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}

extension WorkOrder {
    /// An order with the usual settings, as it is sent.
    public static func usual() throws -> [UInt8] {
        let recipe = Recipe(settings: StickerSettings())
        return try WorkOrder(recipe: recipe, limits: DecodeLimits(), isStickerAlone: false).json()
    }
}

/// An order to make a sticker.
public struct WorkOrder: Hashable, Sendable, WorkerOrder {
    /// How the sticker is made.
    public var recipe: Recipe
    /// Limits for the input file.
    public var limits: DecodeLimits
    /// Whether only the sticker itself is wanted.
    public var isStickerAlone: Bool
}
