import CTIFF
import StickerCodecs
import StickerValues

/// Owns one libtiff handle. Corresponds to `ctiff_reader`.
///
/// The bytes that it reads have to outlive it.
struct TIFFReader: ~Copyable {
    /// libtiff's memory for a directory, however small its pixels.
    private static let directoryBytes = 1 << 20

    private let handle: OpaquePointer
    let info: ctiff_info

    /// Reads the directory number `directory`, counted from 0.
    init(
        _ bytes: UnsafeRawBufferPointer, directory: Int, _ limits: DecodeLimits
    ) throws(CodecError) {
        let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        guard let handle = ctiff_create(base, bytes.count) else {
            throw CodecError(.outOfMemory, .tiff, "out of memory")
        }
        var info = ctiff_info()
        let status = ctiff_start(
            handle, UInt16(directory), max(limits.decoderBytesMax, Self.directoryBytes), &info)
        guard status == CTIFF_OK else {
            defer { ctiff_destroy(handle) }
            throw Self.error(status, handle)
        }
        self.handle = handle
        self.info = info
    }

    deinit { ctiff_destroy(handle) }

    var size: PixelSize { PixelSize(width: Int(info.width), height: Int(info.height)) }

    /// The embedded profile.
    var profile: ColorFacts.Profile? {
        info.icc.map {
            ColorFacts.Profile(UnsafeRawBufferPointer(start: $0, count: info.icc_bytes))
        }
    }

    /// Rows of a strip or tile.
    var unitHeight: Int { max(1, Int(info.unit_height)) }

    private var isSeparate: Bool { info.planar == 2 }
    private var planes: Int { isSeparate ? Int(info.samples) : 1 }
    private var unitsAcross: Int {
        (Int(info.width) + Int(info.unit_width) - 1) / max(1, Int(info.unit_width))
    }
    /// Samples of a pixel that are stored together.
    private var together: Int { isSeparate ? 1 : Int(info.samples) }
    /// Columns and rows of a block of pixels that share their chroma.
    private var block: (width: Int, height: Int) {
        (max(1, Int(info.chroma_x)), max(1, Int(info.chroma_y)))
    }
    private var isSubsampled: Bool { block != (1, 1) }
    /// Bytes of a row of pixels, or of blocks, in a strip or tile.
    private var unitRowBytes: Int {
        guard isSubsampled else {
            return (Int(info.unit_width) * together * Int(info.bits) + 7) / 8
        }
        let blocks = (Int(info.unit_width) + block.width - 1) / block.width
        return blocks * (block.width * block.height + 2)
    }

    /// Bytes of the first `rows` rows of a strip or tile.
    private func unitBytes(rows: Int) -> Int {
        (rows + block.height - 1) / block.height * unitRowBytes
    }

    /// The memory of a row of strips or tiles, of all planes.
    func bandBytes() throws(CodecError) -> Int {
        let (_, overflow) = unitRowBytes.multipliedReportingOverflow(by: unitHeight)
        let unit = overflow ? 0 : unitBytes(rows: unitHeight)
        guard !overflow, unit == info.unit_bytes, info.unit_width > 0 else {
            throw CodecError(.malformed, .tiff, "the size of its strips or tiles makes no sense")
        }
        let (bytes, isTooMuch) = unit.multipliedReportingOverflow(by: unitsAcross * planes)
        return isTooMuch ? .max / 2 : bytes
    }

    /// Decodes and unpacks all rows in order, for as long as `body` returns `true`.
    func unpackRows(
        _ body: (UnsafeMutableBufferPointer<UInt16>) throws(CodecError) -> Bool
    ) throws(CodecError) {
        let samples = UnsafeMutableBufferPointer<UInt16>.allocate(
            capacity: size.width * Int(info.samples))
        defer { samples.deallocate() }
        let band = try LargeMemory(zeros: try bandBytes(), .tiff)
        for y in 0..<size.height {
            if y % unitHeight == 0 { try read(bandAt: y, into: band.bytes) }
            unpack(y, of: band.bytes, into: samples)
            guard try body(samples) else { return }
        }
    }

    /// Whether the sample at `index` of any pixel differs from that of the first.
    func varies(_ index: Int) throws(CodecError) -> Bool {
        var (first, isConstant) = (nil as UInt16?, true)
        let step = Int(info.samples)
        try unpackRows { samples throws(CodecError) in
            let value = first ?? samples[index]
            first = value
            isConstant = stride(from: index, to: samples.count, by: step).allSatisfy {
                samples[$0] == value
            }
            return isConstant
        }
        return !isConstant
    }

    /// Decodes the strips or tiles whose first row is `y`.
    func read(
        bandAt y: Int, into band: UnsafeMutableRawBufferPointer
    ) throws(CodecError) {
        // The last strip has the remaining rows; a tile is always complete.
        let rows = info.tiled ? unitHeight : min(unitHeight, size.height - y)
        var offset = 0
        for plane in 0..<planes {
            for unit in 0..<unitsAcross {
                let x = UInt32(unit) * info.unit_width
                let index = ctiff_unit(handle, x, UInt32(y), UInt16(plane))
                let part = UnsafeMutableRawBufferPointer(
                    rebasing: band[offset..<(offset + unitBytes(rows: rows))])
                let status = ctiff_read(
                    handle, index, part.assumingMemoryBound(to: UInt8.self).baseAddress, part.count)
                guard status == CTIFF_OK else { throw Self.error(status, handle) }
                offset += Int(info.unit_bytes)
            }
        }
    }

    /// Widens row `y` to 16 bits a sample, those of a pixel together. Integers are not scaled; numbers with a
    /// floating point are, from 0...1 to all 16 bits.
    func unpack(
        _ y: Int, of band: UnsafeMutableRawBufferPointer,
        into samples: UnsafeMutableBufferPointer<UInt16>
    ) {
        let count = Int(info.samples)
        let (width, unitWidth) = (size.width, Int(info.unit_width))
        let line = y % unitHeight
        for plane in 0..<planes {
            for unit in 0..<unitsAcross {
                let start =
                    (plane * unitsAcross + unit) * Int(info.unit_bytes)
                    + line / block.height * unitRowBytes
                let row = UnsafeRawBufferPointer(rebasing: band[start..<(start + unitRowBytes)])
                let first = unit * unitWidth
                let target = UnsafeMutableBufferPointer(
                    rebasing: samples[(first * count + plane)...])
                let pixels = min(unitWidth, width - first)
                if isSubsampled {
                    unpack(blocks: row, line: line % block.height, pixels, into: target)
                } else {
                    unpack(row, pixels, into: target)
                }
            }
        }
    }

    private func unpack(
        _ row: UnsafeRawBufferPointer, _ pixels: Int,
        into samples: UnsafeMutableBufferPointer<UInt16>
    ) {
        let (count, together, bits) = (Int(info.samples), together, Int(info.bits))
        let isFloat = info.sample_format == 3
        for x in 0..<pixels {
            for sample in 0..<together {
                let index = x * together + sample
                samples[x * count + sample] =
                    isFloat ? Self.fraction(row, index, bits) : Self.sample(row, index, bits)
            }
        }
    }

    /// One line of blocks: the luma of all their pixels, then the two chroma samples that they share.
    private func unpack(
        blocks row: UnsafeRawBufferPointer, line: Int, _ pixels: Int,
        into samples: UnsafeMutableBufferPointer<UInt16>
    ) {
        let (width, luma) = (block.width, block.width * block.height)
        for x in 0..<pixels {
            let start = x / width * (luma + 2)
            samples[x * 3] = UInt16(row[start + line * width + x % width])
            samples[x * 3 + 1] = UInt16(row[start + luma])
            samples[x * 3 + 2] = UInt16(row[start + luma + 1])
        }
    }

    /// A floating-point number of 0 to 1 in 16 bits, clamped; NaN counts as 0.
    @inline(__always)
    private static func fraction(
        _ row: UnsafeRawBufferPointer, _ index: Int, _ bits: Int
    ) -> UInt16 {
        let value: Double =
            switch bits {
            case 16: Double(row.loadUnaligned(fromByteOffset: 2 * index, as: Float16.self))
            case 32: Double(row.loadUnaligned(fromByteOffset: 4 * index, as: Float.self))
            default: row.loadUnaligned(fromByteOffset: 8 * index, as: Double.self)
            }
        return value > 0 ? UInt16((min(1, value) * 65535).rounded()) : 0
    }

    @inline(__always)
    private static func sample(
        _ row: UnsafeRawBufferPointer, _ index: Int, _ bits: Int
    ) -> UInt16 {
        switch bits {
        case 8: return UInt16(row[index])
        case 16: return row.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
        case 32: return UInt16(row.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self) >> 16)
        default:
            let bit = index * bits
            let byte = row[bit / 8] >> UInt8(8 - bits - bit % 8)
            return UInt16(byte & UInt8(1 << bits - 1))
        }
    }

    private static func error(_ status: ctiff_status, _ handle: OpaquePointer) -> CodecError {
        guard status != CTIFF_OUT_OF_MEMORY else {
            return CodecError(.outOfMemory, .tiff, "out of memory")
        }
        // libtiff quotes the file.
        let words = String(cString: ctiff_message(handle)).unicodeScalars
            .map { $0.value < 32 || $0.value == 127 ? " " : Character($0) }
        return CodecError(.malformed, .tiff, words.isEmpty ? "it cannot be read" : String(words))
    }
}
