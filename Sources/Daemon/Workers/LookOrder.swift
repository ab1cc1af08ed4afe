public import FoundationEssentials
public import StickerValues

/// An order to decode finished files and report their looks, instead of making a sticker. The source is the files, one
/// after another.
public struct LookOrder: Hashable, Sendable, Codable {
    /// The size of each file in bytes.
    public var sizes: [Int]
    /// The limits of each file.
    public var limits: DecodeLimits

    /// Creates an order; see the properties.
    public init(sizes: [Int], limits: DecodeLimits) {
        (self.sizes, self.limits) = (sizes, limits)
    }

    /// Reads an order.
    ///
    /// - Throws: a decoding error; it is no such order of this release.
    public init(json: Data) throws { self = try JSONDecoder().decode(LookOrder.self, from: json) }

    /// Encodes the order for a worker.
    func json() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}

/// The worker's answer.
struct LookReply: Hashable, Sendable, Codable {
    /// One for each file.
    var looks: [PictureLook]
}
