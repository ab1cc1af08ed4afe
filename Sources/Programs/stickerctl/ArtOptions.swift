public import ArgumentParser
import StickerConfiguration
import StickerStore
public import StickerValues

/// Changes to the art that override the configuration.
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

    @Option(
        help: ArgumentHelp(
            "Draw this picture at the bottom right, a fifth as wide; without it, the marks of the configuration.",
            valueName: "file"))
    var watermark: String?

    func validate() throws {
        if let outline, !(StickerSettings.Outline.pixelsRange ~= outline) {
            let range = StickerSettings.Outline.pixelsRange
            throw ValidationError(
                "an outline has \(range.lowerBound) to \(range.upperBound) pixels, not \(outline)")
        }
        for color in [tintColor, outlineColor].compactMap(\.self)
        where ColorCode.parse(color) == nil {
            throw ValidationError("\(FileName.escaped(color)) is not a colour; write '#RRGGBB'")
        }
    }

    /// The configuration with the settings of one category for all, as changed here.
    ///
    /// - Throws: `ExitCode`, after a complaint, if the mark cannot be read.
    func applied(
        to configuration: Configuration, _ category: CategoryNames
    ) throws -> Configuration {
        var settings = configuration.settings(of: category)
        settings.trim = trim ?? settings.trim
        settings.tint.mode = tint ?? settings.tint.mode
        settings.tint.color = tintColor ?? settings.tint.color
        settings.outline.pixels = outline ?? settings.outline.pixels
        settings.outline.color = outlineColor ?? settings.outline.color
        if let watermark { settings.watermarks = [try mark(watermark)] }
        var changed = configuration
        changed.sticker = settings
        changed.categories = [:]
        return changed
    }
}

extension Configuration {
    /// The category of this name, with the look of the `category.json` in its folder. Complains of faults in that file.
    func category(named name: String?) -> CategoryNames {
        var names = CategoryNames(
            identifier: name.map(CategoryID.init), folder: name.map { Array($0.utf8) })
        let files = dropPaths.map { drop in
            SourceKey(
                drop: drop, directory: names.folder ?? [], name: Array("category.json".utf8))
        }
        for file in files where name != nil {
            let read = SourceReader.read(
                file, expected: nil, bytesMax: SideFile.category.bytesMax)
            guard case .read(let source, _, _) = read else { continue }
            do throws(SideFileError) {
                let (words, faults) = try SideFile.category.reading(
                    of: source.withUnsafeBytes { Array($0) }, by: lookRules)
                for fault in faults?.faults ?? [] { complain("\(file.display): \(fault)") }
                names.look = words.category.look
            } catch {
                complain("\(file.display): \(error.refusal.detail)")
            }
            break
        }
        return names
    }
}

extension ArtOptions {
    private static let markWidth = 0.2
    private static let markInset = 0.02

    private func mark(_ path: String) throws -> Watermark {
        var file = WatermarkFile(path: path)
        file.content = try complaining {
            try ConfigurationFile.content(of: file, "--watermark")
        }
        var mark = Watermark(id: "preview", .image(file))
        mark.width = Self.markWidth
        mark.offset = Watermark.Point(x: -Self.markInset, y: -Self.markInset)
        return mark
    }
}

extension TintMode: ExpressibleByArgument {}

extension [TintMode] {
    fileprivate var shown: String { map(\.rawValue).joined(separator: ", ") }
}
