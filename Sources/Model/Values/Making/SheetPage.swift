/// The order for a page of a contact sheet. The files of its stickers follow one another.
public struct SheetPage: Hashable, Sendable, Codable {
    /// One sticker on the page.
    public struct Cell: Hashable, Sendable, Codable {
        /// The id, printed below it.
        public var identifier: StickerID
        /// The size of its file in bytes.
        public var bytes: Int
        /// Whether it moves; then further frames are shown.
        public var moves: Bool
        /// The warnings of lint.
        public var marks: [Mark]

        /// Describes a sticker.
        public init(identifier: StickerID, bytes: Int, moves: Bool, marks: [Mark]) {
            self.identifier = identifier
            self.bytes = bytes
            self.moves = moves
            self.marks = marks
        }
    }

    /// The label below a sticker, and the place of its frame.
    public struct Mark: Hashable, Sendable, Codable {
        /// The framed part of a cell.
        public enum Place: String, Sendable, Codable {
            /// On dark backgrounds.
            case dark
            /// On light backgrounds.
            case light
            /// The sticker on all backgrounds.
            case everywhere
            /// The same, but less urgent.
            case edge
        }

        /// The warning.
        public var words: String
        /// The place of the frame.
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
        /// The fault of its file, in one sentence.
        public var detail: String

        /// Creates a fault.
        public init(_ identifier: StickerID, _ detail: String) {
            self.identifier = identifier
            self.detail = detail
        }
    }

    /// In order, row by row.
    public var cells: [Cell]

    /// Whether stickers are enlarged, and also shown on gray.
    public var isCloseUp: Bool

    /// The words on it, each once.
    public var words: [String] {
        let all = cells.flatMap { [$0.identifier.rawValue] + $0.marks.map(\.words) }
        return Array(Set(all)).sorted()
    }

    /// The text to draw for words on a page: letters of 18 pixels.
    public static func text(of words: String) -> MarkText {
        var text = MarkText(words)
        text.font = "Inter Medium"
        text.size = 9
        text.color = SIMD4(0, 0, 0, 255)
        return text
    }

    /// Creates a page.
    public init(cells: [Cell] = [], isCloseUp: Bool = false) {
        self.cells = cells
        self.isCloseUp = isCloseUp
    }
}
