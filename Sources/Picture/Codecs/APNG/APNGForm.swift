/// How our APNG files store pixels; all frames share one form.
enum APNGForm {
    /// Places in a table; place 0 is transparent.
    case palette(FrameColorTable)
    case rgb
    case rgba

    /// The meaning of a pixel's samples.
    var samples: PNGRows.Form {
        switch self {
        case .palette: .palette
        case .rgb: .rgb
        case .rgba: .rgba
        }
    }

    /// Whether pixels can be transparent.
    var hasTransparency: Bool {
        if case .rgb = self { false } else { true }
    }

    /// The form that also has room for `picture`, RGBA; `self` if it already has.
    func widened(for picture: [UInt32], allIsOpaque: Bool) -> APNGForm {
        switch self {
        case .rgba: return self
        case .rgb: return allIsOpaque ? self : .rgba
        case .palette(var table):
            var last: UInt32 = 0
            for pixel in picture where pixel != last {
                last = pixel
                guard pixel == 0 || table.insert(pixel) else { return allIsOpaque ? .rgb : .rgba }
            }
            return .palette(table)
        }
    }

    /// Whether frames stored in this form are also valid in `other`.
    func isKept(by other: APNGForm) -> Bool { samples == other.samples }

    /// `pixels`, RGBA, as rows.
    func rows(_ pixels: UnsafeBufferPointer<UInt32>, _ area: PixelRectangle) -> PNGRows {
        guard case .palette(let table) = self else { return PNGRows(pixels, samples, area.size) }
        return PNGRows(
            bytes: pixels.map { $0 == 0 ? 0 : table.place(of: $0) }, .palette, area.size)
    }
}
