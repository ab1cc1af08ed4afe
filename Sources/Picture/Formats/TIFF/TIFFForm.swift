import CTIFF
import StickerCodecs
import StickerRaster
import StickerValues

/// The meaning of a TIFF's samples, and their conversion to pixels.
struct TIFFForm {
    enum Kind {
        case whiteIsZero, gray, rgb, palette, inks, lab, luma

        /// Samples of a pixel besides alpha.
        var colors: Int {
            switch self {
            case .whiteIsZero, .gray, .palette: 1
            case .rgb, .lab, .luma: 3
            case .inks: 4
            }
        }
    }

    /// The place of the alpha among the samples of a pixel.
    struct Alpha {
        var index: Int
        /// Whether the colours are multiplied by it.
        var isPremultiplied: Bool
    }

    let kind: Kind
    /// Bits of an unpacked sample: floating-point and 32-bit numbers become 16 bits.
    let bits: Int
    let samples: Int
    private(set) var alpha: Alpha?
    private(set) var hasUnknownSamples: Bool
    /// The sample that may be an alpha although the file does not say so: only its values decide.
    let doubtful: Int?
    private let lab: TIFFLab?
    private let luma: TIFFLuma?

    /// - Throws: `CodecError.unsupported` for unsupported variants.
    init(_ info: ctiff_info) throws(CodecError) {
        let kind = try Self.kind(info)
        try Self.checkNumbers(info, kind)
        (self.kind, samples) = (kind, Int(info.samples))
        bits = info.sample_format == 3 ? 16 : min(16, Int(info.bits))
        let colors = kind.colors
        guard samples >= colors, samples <= 8 else {
            throw CodecError(.malformed, .tiff, "it has \(samples) samples instead of \(colors)")
        }
        let extra = withUnsafeBytes(of: info.extra) { Array($0.bindMemory(to: UInt16.self)) }
            .prefix(min(Int(info.extra_count), samples - colors))
        let place = extra.firstIndex { $0 == 1 || $0 == 2 }
        alpha = place.map { Alpha(index: colors + $0, isPremultiplied: extra[$0] == 1) }
        hasUnknownSamples = samples - colors > (alpha == nil ? 0 : 1)
        // A fifth sample beside inks may be another ink, and a palette is complete.
        let isLone = alpha == nil && samples == colors + 1 && kind != .inks && kind != .palette
        doubtful = isLone ? colors : nil
        lab = kind == .lab ? TIFFLab(info, isShifted: info.photometric == 9) : nil
        luma = kind == .luma ? try TIFFLuma(info) : nil
    }

    private static func kind(_ info: ctiff_info) throws(CodecError) -> Kind {
        switch info.photometric {
        case 0: return .whiteIsZero
        case 1: return .gray
        case 2: return .rgb
        case 3: return .palette
        case 5 where info.ink_set == 1: return .inks
        case 5: throw unsupported("its inks are not cyan, magenta, yellow and black")
        case 6 where info.compression == 7: return .rgb  // libtiff converts it
        case 6 where info.compression == 6: throw unsupported("it is a JPEG in the old style")
        case 6 where info.samples == 3 && info.bits == 8 && info.planar == 1: return .luma
        case 6: throw unsupported("it is in YCbCr of other than 8 bits, or with further samples")
        case 8, 9: return .lab
        case 10: throw unsupported("it is in CIE Lab of fax machines")
        default: throw unsupported("its colours are of kind \(info.photometric)")
        }
    }

    /// Refuses numbers of unusual sizes and kinds.
    private static func checkNumbers(_ info: ctiff_info, _ kind: Kind) throws(CodecError) {
        let bits = Int(info.bits)
        switch info.sample_format {
        case 3:
            guard kind == .gray || kind == .whiteIsZero || kind == .rgb else {
                throw unsupported(
                    "its samples are floating-point numbers, but neither gray nor RGB")
            }
            guard [16, 32, 64].contains(bits) else {
                throw unsupported("its floating-point numbers have \(bits) bits")
            }
            return
        case 1, 4: break
        case 2 where kind == .lab: break
        default: throw unsupported("its samples are signed or complex numbers")
        }
        let isWide = bits == 32 && kind != .palette && kind != .lab && kind != .luma
        guard [1, 2, 4, 8, 16].contains(bits) || isWide else {
            throw unsupported("its samples have \(bits) bits")
        }
        guard bits >= 8 || kind.colors == 1 else {
            throw unsupported("its colours have \(bits) bits")
        }
    }

    /// Treats the sample in doubt as alpha.
    mutating func acceptDoubtfulAlpha() {
        alpha = doubtful.map { Alpha(index: $0, isPremultiplied: false) }
        hasUnknownSamples = false
    }

    private static func unsupported(_ detail: String) -> CodecError {
        CodecError(.unsupported, .tiff, detail)
    }

    var layout: SampleLayout {
        switch kind {
        case .inks: alpha == nil ? .cmyk8 : .cmyka8
        case .lab: .rgba16
        case .palette, .luma: .rgba8
        case .whiteIsZero, .gray, .rgb: bits == 16 ? .rgba16 : .rgba8
        }
    }

    /// For the job log.
    var name: String {
        let colors =
            switch kind {
            case .whiteIsZero, .gray: "gray"
            case .rgb: "RGB"
            case .palette: "palette"
            case .inks: "CMYK"
            case .lab: "CIE Lab"
            case .luma: "YCbCr"
            }
        return alpha == nil ? colors : "\(colors) with alpha"
    }

    /// The name of a compression (TIFF 6.0, section 8, and its supplements).
    static func compression(_ number: UInt16) -> String {
        let names: [UInt16: String] = [
            1: "uncompressed", 2: "CCITT", 3: "CCITT", 4: "CCITT", 5: "LZW", 7: "JPEG",
            8: "deflate", 32773: "PackBits", 32946: "deflate", 34925: "LZMA", 50000: "Zstandard",
            50001: "WebP",
        ]
        return names[number] ?? "compression \(number)"
    }

    /// The colour space of the pixels.
    var pixels: ICCProfile.Space {
        switch kind {
        case .gray, .whiteIsZero: .gray
        case .inks: .cmyk
        default: .rgb
        }
    }

    /// Writes a row of pixels in `layout`.
    func draw(
        _ row: UnsafeMutableBufferPointer<UInt16>, _ palette: TIFFPalette?,
        onto pixels: UnsafeMutableRawBufferPointer
    ) {
        switch layout {
        case .rgba16:
            let target = pixels.assumingMemoryBound(to: SIMD4<UInt16>.self)
            for x in target.indices {
                target[x] = SIMD4(truncatingIfNeeded: pixel(row, x * samples, palette, 65535))
            }
        case .rgba8:
            let target = pixels.assumingMemoryBound(to: SIMD4<UInt8>.self)
            for x in target.indices {
                target[x] = SIMD4(truncatingIfNeeded: pixel(row, x * samples, palette, 255))
            }
        case .cmyk8, .cmyka8:
            let step = layout.bytesPerPixel
            for x in 0..<pixels.count / step { drawInks(row, x * samples, pixels, x * step) }
        }
    }

    /// The largest value of a sample.
    private var top: UInt32 { UInt32((1 << bits) - 1) }

    @inline(__always)
    private func drawInks(
        _ row: UnsafeMutableBufferPointer<UInt16>, _ start: Int,
        _ pixels: UnsafeMutableRawBufferPointer, _ offset: Int
    ) {
        var inks = SIMD4<UInt32>(
            UInt32(row[start]), UInt32(row[start + 1]), UInt32(row[start + 2]),
            UInt32(row[start + 3]))
        if let alpha {
            let opacity = UInt32(row[start + alpha.index])
            if alpha.isPremultiplied { inks = straight(inks, opacity, top) }
            pixels[offset + 4] = UInt8((opacity &* 255 &+ top / 2) / top)
        }
        let narrow = (inks &* 255 &+ top / 2) / top
        for ink in 0..<4 { pixels[offset + ink] = UInt8(truncatingIfNeeded: narrow[ink]) }
    }

    /// One pixel, scaled to `full`, with straight alpha.
    @inline(__always)
    private func pixel(
        _ row: UnsafeMutableBufferPointer<UInt16>, _ start: Int, _ palette: TIFFPalette?,
        _ full: UInt32
    ) -> SIMD4<UInt32> {
        var (color, colorTop) = (SIMD4<UInt32>(repeating: UInt32(row[start])), top)
        switch kind {
        case .rgb:
            color.y = UInt32(row[start + 1])
            color.z = UInt32(row[start + 2])
        case .whiteIsZero: color = top &- color
        case .palette: (color, colorTop) = (palette?[Int(row[start])] ?? color, 255)
        case .lab:
            let found = lab?.color(row[start], row[start + 1], row[start + 2]) ?? .zero
            (color, colorTop) = (SIMD4(found, 0), 65535)
        case .luma:
            let found = luma?.color(row[start], row[start + 1], row[start + 2]) ?? .zero
            (color, colorTop) = (SIMD4(found, 0), 255)
        case .gray, .inks: break
        }
        guard let alpha else {
            if colorTop != full { color = (color &* full &+ colorTop / 2) / colorTop }
            color.w = full
            return color
        }
        let opacity = UInt32(row[start + alpha.index])
        // Lab values are no light that could be multiplied.
        if alpha.isPremultiplied, kind != .lab {
            color = straight(color, colorTop == top ? opacity : opacity * colorTop / top, colorTop)
        }
        if colorTop != full { color = (color &* full &+ colorTop / 2) / colorTop }
        color.w = top == full ? opacity : (opacity &* full &+ top / 2) / top
        return color
    }

    /// Divides colours by their alpha; both reach up to `top`.
    @inline(__always)
    private func straight(
        _ color: SIMD4<UInt32>, _ opacity: UInt32, _ top: UInt32
    ) -> SIMD4<UInt32> {
        guard opacity > 0, opacity < top else { return color }
        var straight = (color &* top &+ opacity / 2) / opacity
        straight.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: top))
        return straight
    }
}
