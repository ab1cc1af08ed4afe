/// How the stickers of a category look, as far as its own side files say; everything else is the configuration's.
///
/// The database keeps it, with marks that name pictures but do not have them.
public struct CategoryLook: Hashable, Sendable, Codable {
    /// The width of the border on a canvas whose longer side is 512 pixels; 0 for none.
    public var outlinePixels: Int?
    /// The colour of the border, `#RRGGBB`.
    public var outlineColor: String?
    /// The effect of the tint.
    public var tintMode: TintMode?
    /// The colour of the tint, `#RRGGBB`.
    public var tintColor: String?
    /// Transparent pixels on every side of the canvas.
    public var marginPixels: Int?
    /// Whether transparent borders of the source are cropped before scaling.
    public var trim: Bool?
    /// The marks; later ones are on top. A picture is a file of the folder of marks, by its name.
    public var watermarks: [Watermark]?

    /// Creates a look that says nothing.
    public init() {}

    /// The widths that an outline can have.
    package static let outlineRange = 0...64
    /// The margins that can be set.
    package static let marginRange = 0...200

    /// The names of the pictures that its marks show, in order.
    public var markNames: [String] { (watermarks ?? []).compactMap(\.file?.path) }

    /// This look, with gaps filled from `other`.
    package func filled(from other: CategoryLook) -> CategoryLook {
        var look = self
        look.outlinePixels = outlinePixels ?? other.outlinePixels
        look.outlineColor = outlineColor ?? other.outlineColor
        look.tintMode = tintMode ?? other.tintMode
        look.tintColor = tintColor ?? other.tintColor
        look.marginPixels = marginPixels ?? other.marginPixels
        look.trim = trim ?? other.trim
        look.watermarks = watermarks ?? other.watermarks
        return look
    }
}

extension CategoryLook {
    /// Reads the members that looks and the settings of the configuration share.
    package mutating func read(_ reader: inout ObjectReader, in scope: MarkScope) {
        reader.given("marginPixels", &marginPixels, blank: 0) {
            $0.integer("marginPixels", &$1, in: Self.marginRange)
        }
        reader.given("trim", &trim, blank: false) { $0.bool("trim", &$1) }
        reader.object("tint") { reader in
            reader.given("mode", &tintMode, blank: .none) { $0.choice("mode", &$1) }
            reader.color(&tintColor)
        }
        reader.object("outline") { reader in
            reader.given("pixels", &outlinePixels, blank: 0) {
                $0.integer("pixels", &$1, in: Self.outlineRange)
            }
            reader.color(&outlineColor)
        }
        reader.given("watermarks", &watermarks, blank: []) {
            $0.watermarks("watermarks", &$1, in: scope)
        }
    }

    /// Reads the look of a side file.
    mutating func read(_ reader: inout ObjectReader, by rules: LookRules?) {
        read(&reader, in: .looks(rules))
        guard let sizes = rules?.marks else { return }
        let (bytes, limit) = (
            markNames.reduce(0) { $0 + (sizes[$1] ?? 0) }, WatermarkFile.totalBytesMax
        )
        guard bytes > limit else { return }
        watermarks = nil
        reader.note(
            "watermarks",
            "its pictures have \(bytes.grouped) B together, limit \(limit.grouped) B")
    }
}

extension ObjectReader {
    fileprivate mutating func color(_ target: inout String?) {
        given("color", &target, blank: "") {
            $0.string("color", &$1, ColorCode.wanted, where: ColorCode.isColor)
        }
    }
}
