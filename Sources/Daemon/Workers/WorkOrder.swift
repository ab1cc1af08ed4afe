public import FoundationEssentials
public import StickerValues

/// A worker's order without the source: sent along with that, as JSON in a sealed memory file.
public struct WorkOrder: Hashable, Sendable, Codable {
    /// How the sticker is made.
    public var recipe: Recipe
    /// Limits for the input file.
    public var limits: DecodeLimits
    /// Whether only the sticker itself is wanted.
    public var isStickerAlone: Bool

    /// Creates an order; see the properties.
    public init(recipe: Recipe, limits: DecodeLimits, isStickerAlone: Bool) {
        self.recipe = recipe
        self.limits = limits
        self.isStickerAlone = isStickerAlone
    }

    /// Reads an order.
    ///
    /// - Throws: a decoding error; the worker and its owner are then of different releases.
    public init(json: Data) throws {
        self = try JSONDecoder().decode(WorkOrder.self, from: json)
    }

    /// Encodes the order for a worker.
    func json() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}
