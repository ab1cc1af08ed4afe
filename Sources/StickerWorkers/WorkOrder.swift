public import FoundationEssentials
public import StickerModel

/// What a worker is asked to do, besides the source: it lies in a sealed memory file beside it, as JSON.
public struct WorkOrder: Hashable, Sendable, Codable {
    /// How the sticker is made.
    public var recipe: Recipe
    /// What the file may be at most.
    public var limits: DecodeLimits
    /// Whether nothing is wanted beside the sticker.
    public var isStickerAlone: Bool

    /// An order; see the properties.
    public init(recipe: Recipe, limits: DecodeLimits, isStickerAlone: Bool) {
        self.recipe = recipe
        self.limits = limits
        self.isStickerAlone = isStickerAlone
    }

    /// Reads an order.
    ///
    /// - Throws: an error of the decoder; then the worker and its owner are of different releases.
    public init(json: Data) throws {
        self = try JSONDecoder().decode(WorkOrder.self, from: json)
    }

    /// The order as a worker reads it.
    func json() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}
