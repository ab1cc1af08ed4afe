import CTIFF
import StickerCodecs
import StickerModel

/// Owns one libtiff handle. Corresponds to `ctiff_reader`.
///
/// The bytes that it reads have to outlive it.
struct TIFFReader: ~Copyable {
    /// What libtiff may need for a directory, however little the pixels may take.
    private static let directoryBytes = 1 << 20

    private let handle: OpaquePointer
    let info: ctiff_info

    init(_ bytes: UnsafeRawBufferPointer, _ limits: DecodeLimits) throws(CodecError) {
        let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
        guard let handle = ctiff_create(base, bytes.count) else {
            throw CodecError(.outOfMemory, .tiff, "out of memory")
        }
        var info = ctiff_info()
        let status = ctiff_start(handle, max(limits.decoderBytesMax, Self.directoryBytes), &info)
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
    /// Samples of a pixel that stand together.
    private var together: Int { isSeparate ? 1 : Int(info.samples) }
    private var unitRowBytes: Int { (Int(info.unit_width) * together * Int(info.bits) + 7) / 8 }

    /// The memory of all strips or tiles beside one another, of all planes.
    func bandBytes() throws(CodecError) -> Int {
        let (unit, overflow) = unitRowBytes.multipliedReportingOverflow(by: unitHeight)
        guard !overflow, unit == info.unit_bytes, info.unit_width > 0 else {
            throw CodecError(.malformed, .tiff, "the size of its strips or tiles makes no sense")
        }
        let (bytes, isTooMuch) = unit.multipliedReportingOverflow(by: unitsAcross * planes)
        return isTooMuch ? .max / 2 : bytes
    }

    /// Decodes the strips or tiles that hold row `y`, the first of theirs.
    func read(
        bandAt y: Int, into band: UnsafeMutableRawBufferPointer
    ) throws(CodecError) {
        // The last strip has the rows that are left; a tile is always whole.
        let rows = info.tiled ? unitHeight : min(unitHeight, size.height - y)
        var offset = 0
        for plane in 0..<planes {
            for unit in 0..<unitsAcross {
                let x = UInt32(unit) * info.unit_width
                let index = ctiff_unit(handle, x, UInt32(y), UInt16(plane))
                let part = UnsafeMutableRawBufferPointer(
                    rebasing: band[offset..<(offset + rows * unitRowBytes)])
                let status = ctiff_read(
                    handle, index, part.assumingMemoryBound(to: UInt8.self).baseAddress, part.count)
                guard status == CTIFF_OK else { throw Self.error(status, handle) }
                offset += Int(info.unit_bytes)
            }
        }
    }

    /// Widens row `y` to 16 bits a sample, those of a pixel together; values are not scaled.
    func unpack(
        _ y: Int, of band: UnsafeMutableRawBufferPointer,
        into samples: UnsafeMutableBufferPointer<UInt16>
    ) {
        let count = Int(info.samples)
        let (width, unitWidth) = (size.width, Int(info.unit_width))
        let (bits, together) = (Int(info.bits), together)
        for plane in 0..<planes {
            for unit in 0..<unitsAcross {
                let start =
                    (plane * unitsAcross + unit) * Int(info.unit_bytes)
                    + y % unitHeight * unitRowBytes
                let row = UnsafeRawBufferPointer(rebasing: band[start..<(start + unitRowBytes)])
                let first = unit * unitWidth
                for x in 0..<min(unitWidth, width - first) {
                    let target = (first + x) * count + plane
                    for sample in 0..<together {
                        samples[target + sample] = Self.sample(row, x * together + sample, bits)
                    }
                }
            }
        }
    }

    @inline(__always)
    private static func sample(
        _ row: UnsafeRawBufferPointer, _ index: Int, _ bits: Int
    ) -> UInt16 {
        switch bits {
        case 8: return UInt16(row[index])
        case 16: return row.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
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
        // libtiff quotes what is in the file.
        let words = String(cString: ctiff_message(handle)).unicodeScalars
            .map { $0.value < 32 || $0.value == 127 ? " " : Character($0) }
        return CodecError(.malformed, .tiff, words.isEmpty ? "it cannot be read" : String(words))
    }
}
