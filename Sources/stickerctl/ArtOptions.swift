public import ArgumentParser
public import StickerModel

/// What is done to the art, in place of what the configuration says.
struct ArtOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Cut transparent borders off.")
    var trim: Bool?

    @Option(help: "Give the art of a still a colour: \(TintMode.allCases.shown).")
    var tint: TintMode?

    @Option(help: ArgumentHelp("The colour of the tint.", valueName: "#RRGGBB"))
    var tintColor: String?

    @Option(help: ArgumentHelp("Draw a border around the art; 0 for none.", valueName: "pixels"))
    var outline: Int?

    @Option(help: ArgumentHelp("The colour of the border.", valueName: "#RRGGBB"))
    var outlineColor: String?

    func validate() throws {
        if let outline, !(StickerSettings.Outline.pixelsRange ~= outline) {
            let range = StickerSettings.Outline.pixelsRange
            throw ValidationError(
                "an outline has \(range.lowerBound) to \(range.upperBound) pixels, not \(outline)")
        }
        for color in [tintColor, outlineColor].compactMap(\.self)
        where ColorCode.parse(color) == nil {
            throw ValidationError("\(FileName.escaped(color)) is no colour; write '#RRGGBB'")
        }
    }

    /// The configuration with the settings of one category changed.
    func applied(to configuration: Configuration, _ category: CategoryNames) -> Configuration {
        var settings = configuration.settings(of: category)
        settings.trim = trim ?? settings.trim
        settings.tint.mode = tint ?? settings.tint.mode
        settings.tint.color = tintColor ?? settings.tint.color
        settings.outline.pixels = outline ?? settings.outline.pixels
        settings.outline.color = outlineColor ?? settings.outline.color
        var changed = configuration
        changed.sticker = settings
        changed.categories = [:]
        return changed
    }
}

extension TintMode: ExpressibleByArgument {}

extension [TintMode] {
    fileprivate var shown: String { map(\.rawValue).joined(separator: ", ") }
}
