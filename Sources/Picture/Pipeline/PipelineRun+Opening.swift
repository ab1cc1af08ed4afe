import StickerCodecs
import StickerContainers
import StickerRaster
import StickerValues

/// From the bytes of a file to a picture of which everything is known before it is drawn.
extension PipelineRun {
    /// Determines the format from the bytes, and checks the header against the limits.
    func open(_ source: SourceBytes) throws(Refusal) -> Picture {
        let type = ImageFormat.sniff(source)
        guard case .picture(let format) = type else {
            if source.count == 0 {
                warnOfProfile()
                marks.warn(of: recipe, within: budget)
            }
            throw Refusal.notAPicture(type, bytes: source.count)
        }
        steps.format = format
        guard let opening = readers[format] else {
            // The daemon chooses the program; other callers of a pipeline may ask for any format.
            throw Refusal(
                .unsupportedFormat, "this program does not read \(format.name)",
                remedy: "save it as \(ImageFormat.names(of: readers.formats))")
        }
        let start = steps.now
        let isReadInPart = recipe.acceptsDamage && Self.readInPart.contains(format)
        let damage = isReadInPart ? AcceptedDamage() : nil
        let decoding = try steps.attempt("open", since: start) {
            try opening(source, limits, recipe.drawsStill, damage)
        }
        note(decoding.header, since: start)
        if let unknown = decoding.header.unknownCharacters {
            guard !recipe.refusesUnknownCharacters else { throw unknown.refusal }
            steps.warn(unknown.warning())
        }
        // A list of an animated PNG's frames shows whether all are there.
        if case .animation = decoding, format == .png { return Picture(decoding) }
        return Picture(decoding, accepting: damage)
    }

    /// The formats whose parts are useful by themselves.
    private static let readInPart: Set<ImageFormat> = [.png, .jpeg, .gif]

    /// Reports faults in the profile of the recipe: a check of a worker sends it without a picture.
    private func warnOfProfile() {
        guard let fault = recipe.cmykProfile.flatMap(ColorConversion.fault) else { return }
        steps.warn(Warning("bad-profile", fault))
    }

    /// Logs the contents of a header.
    private func note(_ header: ImageHeader, since start: StepTime) {
        for warning in header.warnings { steps.warn(warning) }
        // A drawing has no size in pixels.
        let size = header.format == .svg ? "" : " \(header.size)"
        steps.note("open", since: start, "\(header.format.name)\(size), \(header.detail)")
    }

    /// Finds the visible part of the picture, if only that is to be drawn; `nil` for the whole picture.
    func trim(_ picture: Picture) throws(Refusal) -> PixelRectangle? {
        guard recipe.settings.trim else { return nil }
        let start = steps.now
        let part = try steps.attempt("trim", since: start) {
            switch picture.decoding {
            case .still(let decoder):
                try decoder.artArea(budget: budget, accepting: picture.damage)
            case .animation(let decoder):
                try decoder.artArea(budget: budget, accepting: picture.damage)
            }
        }
        let found = part.map { "\($0.size) at \($0.x),\($0.y)" }
        steps.note("trim", since: start, found ?? "nothing to cut off")
        return part
    }

    /// Detects pixel art, if that decides how the picture is enlarged; `nil` if it was not checked.
    ///
    /// A damaged picture is not pixel art; its damage is reported when it is drawn.
    func recognize(_ picture: Picture) -> PixelArtDetector.Finding? {
        let size = picture.part?.size ?? picture.header.size
        let isEnlarged = canvases.contains { canvas in
            picture.drawing(on: canvas, by: recipe.settings, moves: false).scale.enlarges(size)
        }
        guard recipe.settings.resample == .auto, isEnlarged, picture.damage == nil else {
            return nil
        }
        return switch picture.decoding {
        case .still(let decoder): try? decoder.pixelArt(in: picture.part, budget: budget)
        case .animation(let decoder): try? decoder.pixelArt(in: picture.part, budget: budget)
        }
    }
}

extension Refusal {
    fileprivate static func notAPicture(_ type: SniffedType, bytes: Int) -> Refusal {
        guard bytes > 0 else { return .emptyFile }
        let found = if case .foreign(let name) = type { name } else { "of no known picture type" }
        return Refusal(
            .unsupportedFormat, "the bytes are \(found), not \(ImageFormat.namesOfAll)",
            remedy: ImageFormat.remedy)
    }
}
