public import StickerValues

/// A fault of earlier releases that is fixed now, and the pictures it may affect: the table for `plan` and `redo
/// --wrong`.
///
/// To add one, add an entry to `all` and a test of its condition.
public struct MendedFault: Sendable {
    /// The effect on a sticker until it is made again.
    public enum Effect: Hashable, Sendable {
        /// It does not show its picture correctly.
        case wrong
        /// It is correct, but the changed default of a key would give a different one.
        case changedDefault(String)
    }

    /// Its name in the database, in JSON and for people.
    public let name: String
    /// One sentence for people.
    public let sentence: String
    /// The first revision of the code without it, see `Recipe.currentRevision`.
    public let revision: Int
    /// The effect on a sticker.
    public let effect: Effect
    private let concerns: @Sendable (SuspectPicture) -> Bool

    init(
        _ name: String, _ sentence: String, revision: Int, effect: Effect = .wrong,
        concerns: @escaping @Sendable (SuspectPicture) -> Bool
    ) {
        (self.name, self.sentence, self.revision) = (name, sentence, revision)
        (self.effect, self.concerns) = (effect, concerns)
    }

    /// The faults that may affect a sticker, by the headers of its picture. Nothing is decoded. Any bytes are allowed,
    /// even a partial file padded with zeros.
    ///
    /// - Parameters:
    ///   - source: the file that it was made from.
    ///   - published: the facts about the sticker.
    ///   - revision: that of the code that made it; earlier fixes are not checked.
    /// - Returns: the faults, in the order of the table.
    public static func faults(
        in source: SourceBytes, _ published: PublishedFacts, madeBy revision: Int
    ) -> [MendedFault] {
        guard case .picture(let format) = ImageFormat.sniff(source) else { return [] }
        return source.withUnsafeBytes { bytes in
            let picture = SuspectPicture(
                source: source, format: format, bytes: bytes, published: published)
            return all.filter { fault in
                if case .changedDefault(let key) = fault.effect,
                    !published.changedDefaults.contains(key)
                {
                    return false
                }
                return revision < fault.revision && fault.concerns(picture)
            }
        }
    }

    /// The entry of this name; `nil` for one of a newer release.
    public static func named(_ name: some StringProtocol) -> MendedFault? {
        all.first { $0.name == name }
    }

    /// All of them, in display order.
    public static let all: [MendedFault] = [
        MendedFault(
            "png-cicp", "the colours that a PNG declares in cICP were ignored", revision: 5
        ) { picture in
            guard let cicp = picture.pngChunk(PNGChunkType.cicp), cicp.count == 4 else {
                return false
            }
            // 0 and 3 are reserved, and 2 leaves a value open (ITU-T H.273).
            let isStated = cicp[..<2].allSatisfy { ![0, 2, 3].contains($0) }
            let isSRGB = cicp[0] == 1 && cicp[1] == 13
            // Brighter than white, which is refused now: PQ and HLG.
            let isBeyondWhite = cicp[1] == 16 || cicp[1] == 18
            return isBeyondWhite || isStated && cicp[2] == 0 && cicp[3] == 1 && !isSRGB
        },
        MendedFault(
            "png-chromaticities", "the primaries that a PNG declares in cHRM were ignored",
            revision: 5
        ) { picture in
            guard let type = picture.pngColorType, type & 3 != 0,
                let gamma = picture.pngChunk(PNGChunkType.gama)?.bigEndian32(at: 0), gamma > 0,
                let points = picture.pngChunk(PNGChunkType.chrm), points.count == 32,
                ![PNGChunkType.iccp, PNGChunkType.srgb, PNGChunkType.cicp].contains(where: {
                    picture.pngChunk($0) != nil
                })
            else { return false }
            // In hundred thousandths: white, red, green, blue.
            let srgb = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]
            return srgb.indices.contains { index in
                points.bigEndian32(at: 4 * index).map { abs($0 - srgb[index]) > 1000 } ?? false
            }
        },
        MendedFault(
            "png-two-gammas", "the last of several gAMA chunks of a PNG counted, not the first",
            revision: 5
        ) { picture in
            let gammas = picture.pngHead.filter { $0.type == PNGChunkType.gama }
                .compactMap { $0.data.count == 4 ? picture.bytes.part($0.data) : nil }
            guard let first = gammas.first, let last = gammas.last else { return false }
            return !first.elementsEqual(last)
                && picture.pngChunk(PNGChunkType.iccp) == nil
                && picture.pngChunk(PNGChunkType.srgb) == nil
        },
        MendedFault(
            "heif-numbers", "a profile that cannot be used hid the colours that nclx declares",
            revision: 5
        ) { picture in
            guard let numbers = picture.heifNumbers, picture.heifProfileIsAside else {
                return false
            }
            return !isLikeSRGB(numbers.primaries, numbers.transfer)
        },
        MendedFault(
            "heic-video", "the colours that only the video header of a HEIC declares were ignored",
            revision: 5
        ) { picture in
            guard picture.format == .heic, picture.heifNumbers == nil, picture.heifProfile == nil,
                let colors = HEVCColors(heic: picture.bytes)
            else { return false }
            return !isLikeSRGB(colors.primaries, colors.transfer)
        },
        MendedFault(
            "gray-profile", "a profile for gray was applied to colours, which became gray",
            revision: 5
        ) { picture in
            [.webp, .avif, .heic, .bmp].contains(picture.format) && picture.samples == .color
                && picture.profileSpace == "GRAY"
        },
        MendedFault(
            "rgb-profile", "the RGB profile of a gray PNG was ignored", revision: 5
        ) { picture in
            // libpng ignored it; the decoders of other formats used it.
            picture.format == .png && picture.samples == .gray && picture.profileSpace == "RGB "
                && !picture.profileKeepsGray
        },
        MendedFault(
            "profile-hdr", "a profile declares brightness beyond white, which was shown flat",
            revision: 5
        ) { picture in [16, 18].contains(picture.profileTransfer) },
        MendedFault(
            "inverted-inks", "a CMYK JPEG without Adobe's marker was shown inverted", revision: 5
        ) { picture in
            picture.jpegComponents == 4 && !picture.hasAdobeMarker
        },
        MendedFault(
            "two-orientations", "the last of several EXIF segments counted, not the first",
            revision: 5
        ) { picture in
            let orientations = picture.jpegOrientations
            return orientations.first != orientations.last
        },
        MendedFault(
            "bmp-alpha", "the alpha channel of a BMP was ignored", revision: 5
        ) { picture in
            guard picture.format == .bmp, let header = picture.bytes.littleEndian32(at: 14),
                header == 108 || header == 124, picture.bytes.littleEndian16(at: 28) == 32,
                picture.bytes.littleEndian32(at: 30) == 0
            else { return false }
            return picture.bytes.littleEndian32(at: 66) ?? 0 != 0
        },
        MendedFault(
            "tiff-alpha", "the fourth channel of a TIFF, which is alpha, was ignored", revision: 5
        ) { picture in
            guard picture.format == .tiff, let tags = TIFFDirectory.all(in: picture.bytes).first
            else {
                return false
            }
            let colors = [0: 1, 1: 1, 2: 3][tags[262] ?? -1]
            return colors.map { tags[277] == $0 + 1 } ?? false && tags[338] ?? 0 == 0
        },
        MendedFault(
            "tiff-reduced-first", "the small copy in front of a TIFF's picture was taken for it",
            revision: 5
        ) { picture in
            guard picture.format == .tiff else { return false }
            // Tag 255 is the older of the two tags.
            let isReduced = TIFFDirectory.all(in: picture.bytes).map { tags in
                tags[254].map { $0 & 1 == 1 } ?? (tags[255] == 2)
            }
            return isReduced.first == true && isReduced.contains(false)
        },
        MendedFault(
            "apng-only-frame", "the default image of an animated PNG was shown, not its only frame",
            revision: 5
        ) { picture in
            guard picture.pngChunk(PNGChunkType.actl)?.bigEndian32(at: 0) == 1 else { return false }
            return picture.pngChunk(PNGChunkType.fctl) == nil
        },
        MendedFault(
            "gif-screen", "a GIF was cut to a screen smaller than its first frame", revision: 5
        ) { picture in
            picture.format == .gif && picture.gifFrameExceedsScreen
        },
        MendedFault(
            "gif-disposal", "frames of a GIF stayed although browsers remove them", revision: 5
        ) { $0.gifRestoresByReservedDisposal },
        MendedFault(
            "opaque-frames", "some viewers draw bars beside an animation without transparency",
            revision: 5
        ) { picture in
            let published = picture.published
            guard published.isAnimated, published.hasAlphaFlag == false,
                let size = picture.size
            else { return false }
            return published.canvas.drawn(size) != published.canvas.size(for: size)
        },
        MendedFault(
            "svg-pictures", "a picture inside a drawing was left out", revision: 5
        ) { picture in
            picture.svgPictures.contains { !picture.isDrawnBefore($0.type, $0.head) }
        },
        MendedFault(
            "svg-variables", "colours and sizes that a drawing takes from CSS variables were lost",
            revision: 5
        ) { $0.svgHas("var(") },
        MendedFault(
            "svg-styles", "style rules and colours newer than SVG 1.1 were lost in a drawing",
            revision: 5
        ) { picture in newerStyles.contains { picture.svgHas($0) } },
        MendedFault(
            "svg-units", "lengths in mm, pt and other units were too small in a drawing",
            revision: 5
        ) { $0.svgHasUnits },
        MendedFault(
            "svg-letters", "letters that a drawing places one by one stood in a row", revision: 5
        ) { $0.svgPlacesLetters },
        MendedFault(
            "svg-symbols", "symbols that may reach beyond their edge were cut off in a drawing",
            revision: 5
        ) { $0.svgHasOpenSymbol },
        MendedFault(
            "svg-drop-shadow", "elements with feDropShadow were left out of a drawing",
            revision: 5
        ) { $0.svgHas("feDropShadow") },
        MendedFault(
            "pixel-art", "a small picture was enlarged smoothly, whatever it shows", revision: 5,
            effect: .changedDefault("sticker.resample")
        ) { picture in
            guard ![.jpeg, .svg].contains(picture.format), let size = picture.size else {
                return false
            }
            let drawn = picture.published.canvas.drawn(size)
            return drawn.width > size.width || drawn.height > size.height
        },
    ]

    /// Whether the decoders of AVIF and HEIC treat numbers of H.273 as sRGB, or do not know them.
    private static func isLikeSRGB(_ primaries: Int, _ transfer: Int) -> Bool {
        let isKnown = [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 22].contains(primaries)
        if transfer == 16 || transfer == 18 { return false }
        guard isKnown, ![4, 5, 7, 8, 17].contains(transfer) else { return !isKnown }
        return primaries == 1 || primaries == 2 || ![1, 2, 6, 11, 13, 14, 15].contains(transfer)
    }

    /// The names of functions, properties and rules of CSS that earlier releases did not know.
    private static let newerStyles: [StaticString] = [
        "env(", "calc(", "clamp(", "min(", "max(", "lab(", "lch(", "hwb(", "color(", "color-mix(",
        "light-dark(", "@media", "@supports", "@layer", ":is(", ":where(", ":has(",
        "transform-origin", "transform-box", "translate:", "rotate:", "scale:", "circle(",
        "ellipse(", "inset(", "polygon(", "path(", "mask-image", "dominant-baseline",
        "alignment-baseline", "baseline-shift", "text-transform",
    ]
}
