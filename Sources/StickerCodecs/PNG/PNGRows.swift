import CPNG
import StickerModel

/// Rows as PNG stores them, and the file that libpng makes of them.
struct PNGRows {
    /// What the samples of a pixel are; 8 bits each.
    enum Form {
        case gray, rgb, rgba

        fileprivate var channels: Int {
            switch self {
            case .gray: 1
            case .rgb: 3
            case .rgba: 4
            }
        }

        /// PNG specification, table 11.1.
        fileprivate var colorType: UInt8 {
            switch self {
            case .gray: 0
            case .rgb: 2
            case .rgba: 6
            }
        }
    }

    /// Top row first, padded only to whole bytes.
    let bytes: [UInt8]
    private let size: PixelSize
    private let stride: Int
    private let bitDepth: UInt8
    private let colorType: UInt8
    private let palette: PNGPalette?

    /// Takes `pixels`, RGBA; `form` keeps what it has room for.
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

    /// Takes samples in the order of `form`.
    init(bytes: [UInt8], _ form: Form, _ size: PixelSize) {
        precondition(bytes.count == size.pixelCount * form.channels)
        (self.bytes, self.size) = (bytes, size)
        (stride, bitDepth) = (size.width * form.channels, 8)
        (colorType, palette) = (form.colorType, nil)
    }

    /// Takes indices of `bits` bits, the leftmost in the high bits of a byte.
    init(_ bytes: [UInt8], _ palette: PNGPalette, bits: Int, _ size: PixelSize) {
        (self.bytes, self.size, self.palette) = (bytes, size, palette)
        (stride, bitDepth) = ((size.width * bits + 7) / 8, UInt8(bits))
        colorType = 3
        precondition(bytes.count == stride * size.height)
    }

    /// Clears the colours of invisible pixels, so that they compress.
    static func cleared(_ bytes: UnsafeRawBufferPointer) -> [UInt32] {
        bytes.bindMemory(to: UInt32.self).map { PNGPalette.alpha($0) == 0 ? 0 : $0 }
    }

    /// A whole PNG, with an sRGB chunk and no other metadata.
    ///
    /// - Parameters:
    ///   - level: zlib's.
    ///   - filters: whether each row gets the filter that suits it, instead of none; by default, only
    ///     rows of true colours do.
    /// - Returns: the whole file.
    /// - Throws: `CodecError` `.outOfMemory`, or `.encoder` for a fault of ours.
    func file(level: Int32, filters: Bool? = nil) throws(CodecError) -> [UInt8] {
        var picture = cpng_picture()
        (picture.width, picture.height) = (UInt32(size.width), UInt32(size.height))
        (picture.bit_depth, picture.color_type) = (bitDepth, colorType)
        picture.stride = stride
        picture.compression_level = level
        picture.adaptive_filters = filters ?? (palette == nil)
        var file: [UInt8] = []
        var colors = palette?.chunk ?? cpng_palette()
        let status = bytes.withUnsafeBufferPointer { pixels in
            withUnsafePointer(to: &colors) { colors in
                withUnsafeMutablePointer(to: &file) { file in
                    picture.pixels = pixels.baseAddress
                    picture.palette = palette == nil ? nil : colors
                    return cpng_write(&picture, Self.append, file)
                }
            }
        }
        guard status == CPNG_OK else {
            throw status == CPNG_OUT_OF_MEMORY
                ? CodecError(.outOfMemory, .png, "no memory for writing the picture")
                : CodecError(.encoder, .png, "libpng could not write the picture")
        }
        return file
    }

    private static let append: cpng_sink = { context, bytes, count in
        guard let context, let bytes else { return false }
        context.assumingMemoryBound(to: [UInt8].self).pointee.append(
            contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        return true
    }
}
