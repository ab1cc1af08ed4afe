import StickerValues

/// Rows of samples as PNG stores them, and their compressed form.
struct PNGRows {
    /// The meaning of a pixel's samples.
    enum Form {
        case gray, rgb, rgba
        /// Indices of a palette.
        case palette

        fileprivate var channels: Int {
            switch self {
            case .gray, .palette: 1
            case .rgb: 3
            case .rgba: 4
            }
        }

        /// PNG specification, table 11.1.
        var colorType: UInt8 {
            switch self {
            case .gray: 0
            case .rgb: 2
            case .palette: 3
            case .rgba: 6
            }
        }
    }

    let form: Form
    /// Bits of a sample.
    let bitDepth: UInt8
    /// Top row first, padded only to whole bytes.
    let bytes: [UInt8]
    private let stride: Int

    /// Converts `pixels`, RGBA, to `form`, which must not be a palette.
    init(_ pixels: UnsafeBufferPointer<UInt32>, _ form: Form, _ size: PixelSize) {
        precondition(pixels.count == size.pixelCount)
        let channels = form.channels
        let count = pixels.count * channels
        self.init(
            bytes: [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
                for (index, pixel) in pixels.enumerated() {
                    let pixel = UInt32(littleEndian: pixel)
                    for channel in 0..<channels {
                        bytes[index * channels + channel] = UInt8(
                            truncatingIfNeeded: pixel >> (8 * channel))
                    }
                }
                initialized = count
            }, form, size)
    }

    /// Uses samples in the order of `form`; for less than 8 bits, the leftmost in the high bits of a byte.
    init(bytes: [UInt8], _ form: Form, bitDepth: UInt8 = 8, _ size: PixelSize) {
        (self.bytes, self.form, self.bitDepth) = (bytes, form, bitDepth)
        stride = (size.width * form.channels * Int(bitDepth) + 7) / 8
        precondition(bytes.count == stride * size.height)
    }

    /// Clears the colours of invisible pixels, so that they compress.
    static func cleared(_ bytes: UnsafeRawBufferPointer) -> [UInt32] {
        bytes.bindMemory(to: UInt32.self).map { PNGPalette.alpha($0) == 0 ? 0 : $0 }
    }

    /// Compresses the rows.
    ///
    /// - Parameters:
    ///   - level: libdeflate's.
    ///   - isFiltered: whether each row gets its best filter, instead of none.
    /// - Returns: the zlib stream of an `IDAT` chunk.
    /// - Throws: `CodecError.Code.outOfMemory`.
    func compressed(level: Int32, isFiltered: Bool) throws(CodecError) -> [UInt8] {
        let rows = PNGFilter.filtered(
            bytes, stride: stride, pixelBytes: form.channels, isAdaptive: isFiltered)
        return try Deflate.zlib(rows, level: level)
    }

    /// Whether filters make the compressed rows smaller, and their size; approximate, from fast compression.
    func trial() throws(CodecError) -> (isFiltered: Bool, bytes: Int) {
        let (isFiltered, stream) = try tried()
        return (isFiltered, stream.count)
    }

    /// Compresses the rows with or without filters, whichever is smaller.
    func smallest(level: Int32) throws(CodecError) -> [UInt8] {
        let (isFiltered, stream) = try tried()
        if level == Deflate.trialLevel { return stream }
        return try compressed(level: level, isFiltered: isFiltered)
    }

    private func tried() throws(CodecError) -> (isFiltered: Bool, stream: [UInt8]) {
        let plain = try compressed(level: Deflate.trialLevel, isFiltered: false)
        let filtered = try compressed(level: Deflate.trialLevel, isFiltered: true)
        return filtered.count < plain.count ? (true, filtered) : (false, plain)
    }
}
