public import FoundationEssentials
public import StickerValues

/// An order for a page of a contact sheet, instead of a sticker. The source is the files of its stickers.
public struct SheetOrder: Hashable, Sendable, Codable {
    /// The page.
    public var page: SheetPage
    /// The limits of each file.
    public var limits: DecodeLimits

    /// Creates an order; see the properties.
    public init(page: SheetPage, limits: DecodeLimits) {
        self.page = page
        self.limits = limits
    }

    /// Reads an order.
    ///
    /// - Throws: a decoding error; it is no such order of this release.
    public init(json: Data) throws { self = try JSONDecoder().decode(SheetOrder.self, from: json) }

    /// Encodes the order for a worker.
    func json() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}

/// The worker's answer, with the PNG in a separate memory file.
struct SheetReply: Hashable, Sendable, Codable {
    /// The files that could not be read.
    var faults: [SheetPage.Fault]
}
