import CTIFF
import StickerCodecs
import StickerModel
import StickerRaster

/// What the samples of a TIFF mean, and how they become pixels.
struct TIFFForm {
    enum Kind {
        case whiteIsZero, gray, rgb, palette, inks
    }

    /// Where the alpha stands among the samples of a pixel.
    struct Alpha {
        var index: Int
        /// Whether the colours are multiplied by it.
        var isPremultiplied: Bool
    }

    let kind: Kind
    let bits: Int
    let samples: Int
    let alpha: Alpha?
    let hasUnknownSamples: Bool

    /// - Throws: `CodecError.unsupported` for what is not read.
    init(_ info: ctiff_info) throws(CodecError) {
        (bits, samples) = (Int(info.bits), Int(info.samples))
        guard info.sample_format == 1 || info.sample_format == 4 else {
            throw Self.unsupported("its samples are signed or floating-point numbers")
        }
        guard [1, 2, 4, 8, 16].contains(bits) else {
            throw Self.unsupported("its samples have \(bits) bits")
        }
        switch info.photometric {
        case 0: kind = .whiteIsZero
        case 1: kind = .gray
        case 2: kind = .rgb
        case 3: kind = .palette
        case 5 where info.ink_set == 1: kind = .inks
        case 5: throw Self.unsupported("its inks are not cyan, magenta, yellow and black")
        case 6 where info.compression == 7: kind = .rgb  // libtiff converts it
        case 6: throw Self.unsupported("it is in YCbCr without being a JPEG")
        case 8, 9, 10: throw Self.unsupported("it is in CIE Lab")
        default: throw Self.unsupported("its colours are of kind \(info.photometric)")
        }
        guard bits >= 8 || kind == .gray || kind == .whiteIsZero || kind == .palette else {
            throw Self.unsupported("its colours have \(bits) bits")
        }
        let colors = kind == .rgb ? 3 : kind == .inks ? 4 : 1
        guard samples >= colors, samples <= 8 else {
            throw CodecError(.malformed, .tiff, "it has \(samples) samples instead of \(colors)")
        }
        let extra = withUnsafeBytes(of: info.extra) { Array($0.bindMemory(to: UInt16.self)) }
            .prefix(min(Int(info.extra_count), samples - colors))
        let place = extra.firstIndex { $0 == 1 || $0 == 2 }
        alpha = place.map { Alpha(index: colors + $0, isPremultiplied: extra[$0] == 1) }
        hasUnknownSamples = samples - colors > (alpha == nil ? 0 : 1)
        guard alpha == nil || kind == .gray || kind == .whiteIsZero || kind == .rgb else {
            throw Self.unsupported("its \(kind == .inks ? "inks" : "palette") have an alpha")
        }
    }

    private static func unsupported(_ detail: String) -> CodecError {
        CodecError(.unsupported, .tiff, detail)
    }

    var layout: SampleLayout {
        kind == .inks ? .cmyk8 : bits == 16 && kind != .palette ? .rgba16 : .rgba8
    }

    /// For the job log.
    var name: String {
        let colors =
            switch kind {
            case .whiteIsZero, .gray: "gray"
            case .rgb: "RGB"
            case .palette: "palette"
            case .inks: "CMYK"
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

    /// The colours that a pixel holds.
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
        let top = UInt32((1 << bits) - 1)
        switch layout {
        case .rgba16:
            let target = pixels.assumingMemoryBound(to: SIMD4<UInt16>.self)
            for x in target.indices {
                target[x] = SIMD4(truncatingIfNeeded: pixel(row, x * samples, top, 65535))
            }
        case .cmyk8:
            let target = pixels.assumingMemoryBound(to: SIMD4<UInt8>.self)
            for x in target.indices {
                let start = x * samples
                let inks = SIMD4<UInt32>(
                    UInt32(row[start]), UInt32(row[start + 1]), UInt32(row[start + 2]),
                    UInt32(row[start + 3]))
                target[x] = SIMD4(truncatingIfNeeded: (inks &* 255 &+ top / 2) / top)
            }
        case .rgba8:
            let target = pixels.assumingMemoryBound(to: SIMD4<UInt8>.self)
            for x in target.indices {
                target[x] =
                    palette.map { $0[Int(row[x * samples])] }
                    ?? SIMD4(truncatingIfNeeded: pixel(row, x * samples, top, 255))
            }
        }
    }

    /// One pixel of gray or RGB, scaled from `top` to `full`, with straight alpha.
    @inline(__always)
    private func pixel(
        _ row: UnsafeMutableBufferPointer<UInt16>, _ start: Int, _ top: UInt32, _ full: UInt32
    ) -> SIMD4<UInt32> {
        var color = SIMD4<UInt32>(repeating: UInt32(row[start]))
        if kind == .rgb {
            color.y = UInt32(row[start + 1])
            color.z = UInt32(row[start + 2])
        } else if kind == .whiteIsZero {
            color = top &- color
        }
        guard let alpha else {
            if top != full { color = (color &* full &+ top / 2) / top }
            color.w = full
            return color
        }
        let opacity = UInt32(row[start + alpha.index])
        if alpha.isPremultiplied, opacity > 0, opacity < top {
            var straight = (color &* top &+ opacity / 2) / opacity
            straight.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: top))
            color = straight
        }
        color.w = opacity
        return top == full ? color : (color &* full &+ top / 2) / top
    }
}

/// The colours of a TIFF with a palette.
struct TIFFPalette {
    private let colors: [SIMD4<UInt8>]

    init(_ info: ctiff_info) throws(CodecError) {
        guard info.bits <= 8, let red = info.palette.0, let green = info.palette.1,
            let blue = info.palette.2
        else { throw CodecError(.malformed, .tiff, "it has no palette") }
        let entries = 0..<(1 << Int(info.bits))
        // Some programs write 8 bits where 16 belong.
        let isNarrow = entries.allSatisfy { max(red[$0], green[$0], blue[$0]) < 256 }
        colors = entries.map { index in
            let color = SIMD4(red[index], green[index], blue[index], .max)
            var narrow = SIMD4<UInt8>(truncatingIfNeeded: isNarrow ? color : color &>> 8)
            narrow.w = 255
            return narrow
        }
    }

    /// Every value of a sample has a colour.
    subscript(index: Int) -> SIMD4<UInt8> { colors[index] }
}
