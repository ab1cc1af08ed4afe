import StickerContainers
import StickerRaster
import StickerValues

/// The shown picture, the next one, and the smallest frame that leads from one to the other.
///
/// Pixels are RGBA; invisible ones are 0.
struct APNGStage {
    /// One stored frame.
    struct Frame {
        var area: PixelRectangle
        /// Whether it is drawn over the shown picture.
        var isBlended: Bool
        /// The compressed rows.
        var data: [UInt8]
        /// The pixel in the top left corner of the canvas while it is shown.
        var corner: UInt32
        var milliseconds: Int
    }

    /// libdeflate's level: a smaller file may keep more frames.
    private static let compressionLevel: Int32 = 7

    private let size: PixelSize
    private var shown: [UInt32]
    private(set) var newest: [UInt32] = []
    private var isEmpty = true

    /// Creates a stage that shows nothing yet.
    init(size: PixelSize) {
        self.size = size
        shown = [UInt32](repeating: 0, count: size.pixelCount)
    }

    /// Takes the pixels of a whole canvas as the newest picture.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        newest = PNGRows.cleared(bytes)
        precondition(newest.count == size.pixelCount)
    }

    /// Whether the newest picture is already shown.
    var isNewestTheSame: Bool { !isEmpty && newest == shown }

    /// Whether every pixel of the newest picture is opaque.
    var isNewestOpaque: Bool { newest.allSatisfy { PNGPalette.alpha($0) == 255 } }

    /// Shows the newest picture.
    /// - Returns: the smallest frame that does so.
    mutating func advance(_ form: APNGForm, milliseconds: Int) throws(CodecError) -> Frame {
        let area = isEmpty ? PixelRectangle(all: size) : changed
        var best = try Self.candidate(pixels(of: area, leavingOutUnchanged: false), form, area)
        var isBlended = false
        if isBlendingRight(form, area) {
            let blended = try Self.candidate(
                pixels(of: area, leavingOutUnchanged: true), form, area)
            if blended.bytes < best.bytes { (best, isBlended) = (blended, true) }
        }
        let frame = Frame(
            area: area, isBlended: isBlended, data: try best.data(), corner: newest[0],
            milliseconds: milliseconds)
        swap(&shown, &newest)
        isEmpty = false
        return frame
    }

    /// The compressed rows of pixels that fill `area`, with or without filters, whichever is smaller.
    static func data(
        of pixels: [UInt32], _ form: APNGForm, _ area: PixelRectangle
    ) throws(CodecError) -> [UInt8] {
        try candidate(pixels, form, area).data()
    }

    /// Rows, and how to store them.
    private struct Candidate {
        let rows: PNGRows
        let isFiltered: Bool
        /// Approximate, from fast compression.
        let bytes: Int

        func data() throws(CodecError) -> [UInt8] {
            try rows.compressed(level: compressionLevel, isFiltered: isFiltered)
        }
    }

    private static func candidate(
        _ pixels: [UInt32], _ form: APNGForm, _ area: PixelRectangle
    ) throws(CodecError) -> Candidate {
        let rows = pixels.withUnsafeBufferPointer { form.rows($0, area) }
        let (isFiltered, bytes) = try rows.trial()
        return Candidate(rows: rows, isFiltered: isFiltered, bytes: bytes)
    }

    /// The rectangle around the pixels that differ.
    private var changed: PixelRectangle {
        var bounds = PixelBounds()
        for y in 0..<size.height {
            for x in 0..<size.width where newest[y * size.width + x] != shown[y * size.width + x] {
                bounds.note(x, y)
            }
        }
        return bounds.rectangle
    }

    /// Whether drawing over the shown picture gives exactly the newest one: each changed pixel must cover the old one
    /// completely, or lie over nothing.
    private func isBlendingRight(_ form: APNGForm, _ area: PixelRectangle) -> Bool {
        guard !isEmpty, form.hasTransparency else { return false }
        return places(of: area).allSatisfy { row in
            row.allSatisfy { place in
                newest[place] == shown[place] || PNGPalette.alpha(newest[place]) == 255
                    || shown[place] == 0
            }
        }
    }

    private func pixels(of area: PixelRectangle, leavingOutUnchanged: Bool) -> [UInt32] {
        var pixels: [UInt32] = []
        pixels.reserveCapacity(area.size.pixelCount)
        for row in places(of: area) {
            for place in row {
                let isLeftOut = leavingOutUnchanged && newest[place] == shown[place]
                pixels.append(isLeftOut ? 0 : newest[place])
            }
        }
        return pixels
    }

    /// The places of the rows of `area`.
    private func places(of area: PixelRectangle) -> [Range<Int>] {
        (area.y..<(area.y + area.height)).map { y in
            let start = y * size.width + area.x
            return start..<(start + area.width)
        }
    }
}
