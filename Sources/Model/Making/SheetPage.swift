/// A page of a contact sheet, as it is ordered from a worker. The files of its stickers come behind one another.
public struct SheetPage: Hashable, Sendable, Codable {
    /// One sticker on the page.
    public struct Cell: Hashable, Sendable, Codable {
        /// The id, which is written below it.
        public var identifier: StickerID
        /// Bytes of its file.
        public var bytes: Int
        /// Whether it moves; then further frames are shown.
        public var moves: Bool
        /// What lint warns of.
        public var marks: [Mark]

        /// Describes a sticker.
        public init(identifier: StickerID, bytes: Int, moves: Bool, marks: [Mark]) {
            self.identifier = identifier
            self.bytes = bytes
            self.moves = moves
            self.marks = marks
        }
    }

    /// What is written below a sticker, and where it is framed.
    public struct Mark: Hashable, Sendable, Codable {
        /// The part of a cell that has a frame.
        public enum Place: String, Sendable, Codable {
            /// On dark grounds.
            case dark
            /// On light grounds.
            case light
            /// The sticker on all grounds.
            case everywhere
            /// The same, but less urgent.
            case edge
        }

        /// Lower case letters, digits, hyphens and underscores.
        public var words: String
        /// Where the frame is.
        public var place: Place

        /// Creates a mark.
        public init(_ words: String, _ place: Place) {
            self.words = words
            self.place = place
        }
    }

    /// A file that could not be drawn.
    public struct Fault: Hashable, Sendable, Codable {
        /// The sticker.
        public var identifier: StickerID
        /// What is wrong with its file, in one sentence.
        public var detail: String

        /// Creates a fault.
        public init(_ identifier: StickerID, _ detail: String) {
            self.identifier = identifier
            self.detail = detail
        }
    }

    /// In order, row by row.
    public var cells: [Cell]

    /// Whether stickers are shown in detail, and on gray too.
    public var isCloseUp: Bool

    /// Creates a page.
    public init(cells: [Cell] = [], isCloseUp: Bool = false) {
        self.cells = cells
        self.isCloseUp = isCloseUp
    }
}
