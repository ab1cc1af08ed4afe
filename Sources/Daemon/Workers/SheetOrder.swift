public import StickerValues

/// An order for a page of a contact sheet, instead of a sticker. The source is the files of its stickers.
public struct SheetOrder: Hashable, Sendable, WorkerOrder {
    /// The page.
    public var page: SheetPage
    /// The words on it, drawn in black with a scale of `DrawnText.scale`.
    public var letters: [String: DrawnText]
    /// The limits of each file.
    public var limits: DecodeLimits
}

/// The worker's answer, with the PNG in a separate memory file.
struct SheetReply: Hashable, Sendable, Codable {
    /// The files that could not be read.
    var faults: [SheetPage.Fault]
}
