public import FoundationEssentials
public import StickerModel

/// What a worker is asked for instead of a sticker: a page of a contact sheet. The source is the files of its stickers.
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
    /// - Throws: a decoding error; it is no order for a sheet of this release.
    public init(json: Data) throws { self = try JSONDecoder().decode(SheetOrder.self, from: json) }

    /// Encodes the order for a worker.
    func json() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}

/// What a worker answers to that, with the PNG in a memory file of its own.
struct SheetReply: Hashable, Sendable, Codable {
    /// The files that could not be read.
    var faults: [SheetPage.Fault]
}
