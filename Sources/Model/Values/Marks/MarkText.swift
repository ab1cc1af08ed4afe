/// The words of a mark. Sizes are for a canvas whose longer side has 512 pixels.
public struct MarkText: Hashable, Sendable, Codable {
    /// The text, without markup. Line breaks (U+000A) separate centred lines.
    public var text: String
    /// Family and style of the font, such as `Inter Bold Italic`, in Pango's form; without a size.
    public var font = "Inter Bold"
    /// The height of the font (its em) in pixels.
    public var size = 48.0
    /// RGBA with straight alpha. Letters have the colour, emoji their own; alpha applies to both.
    public var color = SIMD4<UInt8>(repeating: 255)
    /// The width of the border around the shape, in pixels; 0 is none.
    public var strokePixels = 0.0
    /// The colour of the border. It is as opaque as the text.
    public var strokeColor = SIMD3<UInt8>(0, 0, 0)

    /// The most characters of a text.
    public static let charactersMax = 200
    /// The most bytes in UTF-8: a family emoji has 25.
    public static let bytesMax = 4000
    /// The most lines.
    public static let linesMax = 8
    /// The possible heights of a font, in pixels.
    public static let sizes = 4.0...512.0
    /// The possible widths of a border, in pixels.
    public static let strokes = 0.0...32.0
    /// The longer side of the canvas that sizes refer to.
    public static let canvasSide = 512

    /// Creates white words without a border.
    public init(_ text: String) { self.text = text }

    /// Faults that prevent drawing with any font, with the paths `text`, `font`, `size`, `color` and `strokePixels`.
    public var faults: [JSONFault] {
        var faults: [JSONFault] = []
        func check(_ path: String, _ message: String?) {
            if let message { faults.append(JSONFault(path: path, message: message)) }
        }
        check("text", textFault)
        check(
            "font",
            font.allSatisfy(\.isWhitespace) || font.utf8.count > 200 || Self.hasControls(font)
                ? "is not the name of a font, such as Inter Bold" : nil)
        check("size", Self.fault(size, Self.sizes))
        check("color", color.w == 0 ? "is invisible; its last two digits are its alpha" : nil)
        check("strokePixels", Self.fault(strokePixels, Self.strokes))
        return faults
    }

    private var textFault: String? {
        let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        guard 1...Self.charactersMax ~= text.count else {
            return "has \(text.count) characters; 1 to \(Self.charactersMax) are allowed"
        }
        // A character may have any number of code points.
        guard text.utf8.count <= Self.bytesMax else {
            return "has \(text.utf8.count) B; at most \(Self.bytesMax) are allowed"
        }
        guard lines <= Self.linesMax else {
            return "has \(lines) lines; at most \(Self.linesMax) are allowed"
        }
        guard !Self.hasControls(text, allowed: "\n") else {
            return "has control characters; only line breaks (\\n) are allowed"
        }
        return text.allSatisfy(\.isWhitespace) ? "has nothing visible" : nil
    }

    private static func fault(_ number: Double, _ range: ClosedRange<Double>) -> String? {
        range.contains(number)
            ? nil
            : "is \(number.shortest); \(range.lowerBound.shortest) to \(range.upperBound.shortest) is allowed"
    }

    /// U+2028 and U+2029 would break lines, too.
    private static func hasControls(_ text: String, allowed: Unicode.Scalar? = nil) -> Bool {
        text.unicodeScalars.contains { scalar in
            scalar != allowed
                && [.control, .lineSeparator, .paragraphSeparator]
                    .contains(scalar.properties.generalCategory)
        }
    }
}
