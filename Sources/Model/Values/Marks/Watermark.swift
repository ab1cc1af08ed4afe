/// A brand's mark on its stickers.
public struct Watermark: Hashable, Sendable, Codable {
    /// The drawn content.
    public enum Content: Hashable, Sendable, Codable {
        /// A flat colour; it has no size of its own.
        case color(SIMD4<UInt8>)
        /// A picture in any format of `stickerd-worker`, including animations.
        case image(WatermarkFile)
        /// Rows of pixels without a header.
        case raw(WatermarkFile, RawPixels)
        /// Words, with their pixels if already drawn.
        case text(MarkText, DrawnText?)
    }

    /// The form of a file without a header: RGBA, 8 bits a channel, no padding.
    public struct RawPixels: Hashable, Sendable, Codable {
        /// The size in pixels.
        public var size: PixelSize
        /// Whether colours are multiplied by alpha.
        public var isPremultiplied = false
        /// Whether the bottom row comes first.
        public var isFlipped = false

        /// Creates a description of straight pixels, top row first.
        public init(size: PixelSize) { self.size = size }
    }

    /// Identifies it among marks; does not affect pictures.
    public var id: String
    /// The drawn content.
    public var content: Content
    /// The width as a fraction of the canvas, 0 to 1; `nil` follows from the height and the content's shape.
    public var width: Double?
    /// The height as a fraction of the canvas, 0 to 1; `nil` follows from the width and the content's shape.
    public var height: Double?
    /// The point of the mark, and of the canvas, that coincide, as fractions of each: 0, 0 is the top left.
    public var anchor = Point(x: 1, y: 1)
    /// Added to the place, as a fraction of the canvas, -1 to 1: right and down.
    public var offset = Point(x: 0, y: 0)
    /// 0 is invisible, 1 as the content is.
    public var opacity = 1.0
    /// Another library's rules for size and place; `nil` to use `width` to `offset`.
    public var imgly: IMGLYPlace?
    /// Its changes during the sticker, in order of time.
    public var keyframes: [Keyframe] = []
    /// Whether its motion animates a still.
    public var animates = false
    /// The kinds of stickers, roles of files and names of targets that wear it; empty for all.
    public var on: [String] = []

    /// A kind of stickers, regardless of marks.
    public enum Kind: String, Sendable, CaseIterable {
        /// Stills.
        case still
        /// Animations.
        case moving
    }

    /// Two fractions.
    public struct Point: Hashable, Sendable, Codable {
        /// From left to right.
        public var x: Double
        /// From top to bottom.
        public var y: Double

        /// Creates a point.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// The file that it shows, if any.
    public var file: WatermarkFile? {
        switch content {
        case .color, .text: nil
        case .image(let file), .raw(let file, _): file
        }
    }

    /// How many marks a category may have.
    public static let countMax = 16

    package var kinds: [Kind] { Kind.allCases.filter { on.contains($0.rawValue) } }

    /// The names in `on` besides kinds.
    public var files: [String] { on.filter { Kind(rawValue: $0) == nil } }

    /// Whether a file wears it.
    ///
    /// - Parameters:
    ///   - role: the purpose of the file.
    ///   - target: the target whose rules it follows, if any.
    /// - Returns: whether one of them is named, or `on` names no files.
    public func isOn(_ role: StickerFile.Role, _ target: String?) -> Bool {
        let files = files
        return files.isEmpty || files.contains(role.rawValue)
            || target.map(files.contains) == true
    }

    /// Whether stickers of a kind wear it.
    ///
    /// - Parameter kind: the kind.
    /// - Returns: whether it is named, or `on` names no kinds.
    public func isOn(_ kind: Kind) -> Bool {
        kinds.isEmpty || kinds.contains(kind)
    }

    /// Creates a mark at the bottom right.
    public init(id: String, _ content: Content) {
        self.id = id
        self.content = content
    }
}

/// The file of a mark.
public struct WatermarkFile: Hashable, Sendable, Codable {
    /// The largest file, in bytes.
    public static let bytesMax = 1_000_000
    /// All files of a category together, in bytes.
    public static let totalBytesMax = 2_000_000

    /// The file; a relative path is resolved against the folder of the configuration file.
    public var path: String
    /// The content of the file; `nil` until it is read.
    public var content: FileContent?

    /// Names the file at `path`.
    public init(path: String) { self.path = path }
}
