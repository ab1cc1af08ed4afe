package import StickerValues

/// The headers of a Windows bitmap (BITMAPFILEHEADER with BITMAPCOREHEADER, BITMAPINFOHEADER, BITMAPV4HEADER or
/// BITMAPV5HEADER of the Windows GDI). Nothing is checked against limits.
///
/// The stated sizes of the file and of the pixels are often wrong, and are ignored.
package struct BMPHeader {
    /// Why a header cannot be used.
    package enum Fault: Error {
        /// The headers are incomplete.
        case truncated
        /// It is contradictory; a clause for people.
        case malformed(String)
        /// An unsupported variant; a clause for people.
        case unsupported(String)
    }

    /// How the pixels are stored.
    package enum Storage {
        /// Palette indices of 1, 2, 4 or 8 bits.
        case palette
        /// Blue, green and red in 8 bits each.
        case bgr
        /// Words of 16 or 32 bits with a mask for each channel.
        case masked
        /// Runs of palette indices with 4 or 8 bits.
        case runs
    }

    package private(set) var size: PixelSize
    package private(set) var isTopDown = false
    /// Bits of a pixel, or of an index in runs.
    package private(set) var bits: Int
    package private(set) var storage: Storage
    /// Where the pixels begin.
    package private(set) var pixelStart: Int
    /// The place of the palette, and the bytes of each of its colours: blue, green, red and maybe one more.
    package private(set) var palette = 0..<0
    package private(set) var colorBytes = 4
    /// The masks of red, green, blue and alpha; alpha's may be 0.
    package private(set) var masks: [UInt32] = []
    /// The place of an embedded ICC profile.
    package private(set) var profile: Range<Int>?
    /// Whether there is a profile outside the file, or beyond its bytes.
    package private(set) var lacksProfile = false
    /// The size of the second header in bytes, which identifies its version.
    package let version: Int

    /// The file header before everything else.
    private static let fileHeaderBytes = 14
    private static let versions = [12, 16, 40, 52, 56, 64, 108, 124]

    /// Whether `bytes` begin like a bitmap: two letters alone would match many texts.
    package static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.has("BM") else { return false }
        return bytes.littleEndian32(at: fileHeaderBytes).map(versions.contains) ?? true
    }

    /// Whether the pixels are complete; runs have an end mark, which decoding finds.
    package static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let header = try? BMPHeader(bytes) else { return false }  // the decoder says why
        return header.pixelBytes.map { $0 <= bytes.count - header.pixelStart } ?? true
    }

    /// Reads the headers; palette and pixels are not read, and may lie outside.
    package init(_ bytes: UnsafeRawBufferPointer) throws(Fault) {
        guard let start = bytes.littleEndian32(at: 10),
            let version = bytes.littleEndian32(at: Self.fileHeaderBytes),
            Self.fileHeaderBytes + version <= bytes.count || !Self.versions.contains(version)
        else { throw .truncated }
        guard Self.versions.contains(version) else {
            throw .unsupported("its header has \(version) bytes")
        }
        (self.version, pixelStart) = (version, start)
        let fields = bytes.part(14..<(14 + version))
        let sides = version == 12 ? Self.shortSides(fields) : Self.longSides(fields)
        guard let sides else { throw .malformed("its sides make no sense") }
        (size, isTopDown) = (sides.size, sides.isTopDown)
        let offset = version == 12 ? 8 : 12
        guard fields.littleEndian16(at: offset) == 1 else {
            throw .malformed("it has other than one plane")
        }
        bits = fields.littleEndian16(at: offset + 2) ?? 0
        let compression = version > 16 ? fields.littleEndian32(at: 16) ?? 0 : 0
        storage = try Self.storage(bits, compression, version)
        if case .runs = storage, isTopDown { throw .malformed("it has runs from the top down") }
        try readMasks(bytes, compression)
        try readPalette(fields, of: bytes, compression)
        readProfile(fields, of: bytes)
    }

    /// Bytes of a stored row, which is padded to four.
    package var rowBytes: Int { (size.width * bits + 31) / 32 * 4 }

    /// Bytes of all rows, without the padding of the last; `nil` for runs, `Int.max` if they do not fit.
    package var pixelBytes: Int? {
        if case .runs = storage { return nil }
        let (rows, overflow) = rowBytes.multipliedReportingOverflow(by: max(0, size.height - 1))
        return overflow ? .max : rows + (size.width * bits + 7) / 8
    }

    // MARK: Fields

    private static func shortSides(
        _ fields: UnsafeRawBufferPointer
    ) -> (size: PixelSize, isTopDown: Bool)? {
        guard let width = fields.littleEndian16(at: 4), let height = fields.littleEndian16(at: 6)
        else { return nil }
        return (PixelSize(width: width, height: height), false)
    }

    /// A negative height means that the top row comes first.
    private static func longSides(
        _ fields: UnsafeRawBufferPointer
    ) -> (size: PixelSize, isTopDown: Bool)? {
        guard let wide = fields.littleEndian32(at: 4), let high = fields.littleEndian32(at: 8)
        else { return nil }
        let (width, height) = (
            Int(Int32(truncatingIfNeeded: wide)), Int(Int32(truncatingIfNeeded: high))
        )
        guard width >= 0 else { return nil }
        return (PixelSize(width: width, height: abs(height)), height < 0)
    }

    private static func storage(
        _ bits: Int, _ compression: Int, _ version: Int
    ) throws(Fault) -> Storage {
        switch (compression, bits) {
        case (0, 1), (0, 2), (0, 4), (0, 8): return .palette
        case (0, 24): return .bgr
        case (0, 16), (0, 32): return .masked
        // OS/2 gives these numbers other meanings.
        case (3, _) where version == 64, (4, _) where version == 64:
            throw .unsupported("it is compressed in a way of OS/2")
        case (1, 8), (2, 4): return .runs
        case (3, 16), (3, 32), (6, 16), (6, 32): return .masked
        case (4, _): throw .unsupported("it holds a JPEG")
        case (5, _): throw .unsupported("it holds a PNG")
        default: throw .malformed("\(bits) bits do not go with compression \(compression)")
        }
    }

    /// The masks are inside later headers and after the first.
    private mutating func readMasks(
        _ bytes: UnsafeRawBufferPointer, _ compression: Int
    ) throws(Fault) {
        guard case .masked = storage else { return }
        guard compression != 0 else {
            masks =
                bits == 16
                ? [0x7C00, 0x03E0, 0x001F, 0] : [0xFF_0000, 0xFF00, 0xFF, plainAlphaMask(bytes)]
            return
        }
        let hasAlpha = compression == 6 || version >= 56
        let start = Self.fileHeaderBytes + 40
        for index in 0..<(hasAlpha ? 4 : 3) {
            guard let mask = bytes.littleEndian32(at: start + 4 * index) else { throw .truncated }
            masks.append(UInt32(mask))
        }
        if !hasAlpha { masks.append(0) }
        guard masks.prefix(3).contains(where: { $0 != 0 }) else {
            throw .malformed("no bit belongs to a colour")
        }
        var taken: UInt32 = 0
        for mask in masks {
            guard mask & taken == 0 else { throw .malformed("its channels share bits") }
            taken |= mask
            // One run of bits: shifted down, it is one less than a power of two.
            let run = mask == 0 ? 0 : mask >> UInt32(mask.trailingZeroBitCount)
            guard run & (run &+ 1) == 0 else {
                throw .unsupported("the bits of a channel do not stand together")
            }
        }
        guard bits == 32 || taken >> 16 == 0 else {
            throw .malformed("a channel has bits outside the pixel")
        }
    }

    /// The fourth byte of plain pixels of 32 bits is alpha if a header of version 4 or later has a mask for it.
    ///
    /// Masks apply only to other pixels, so browsers ignore which bits it names.
    private func plainAlphaMask(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        let mask = bytes.littleEndian32(at: Self.fileHeaderBytes + 52) ?? 0
        return version >= 108 && mask != 0 ? 0xFF00_0000 : 0
    }

    private mutating func readPalette(
        _ fields: UnsafeRawBufferPointer, of bytes: UnsafeRawBufferPointer, _ compression: Int
    ) throws(Fault) {
        let start = Self.fileHeaderBytes + version
        colorBytes = version == 12 ? 3 : 4
        switch storage {
        case .palette, .runs:
            let stated = version >= 40 ? fields.littleEndian32(at: 32) ?? 0 : 0
            // Some programs write more colours than an index can address.
            let usable = 1 << bits
            let count = stated == 0 ? usable : min(stated, usable)
            let room = max(0, min(pixelStart, bytes.count) - start) / colorBytes
            // Early versions of OS/2 omit unused colours.
            guard room >= count || version == 12 && room > 0 else {
                throw .malformed("its palette reaches into the pixels")
            }
            palette = start..<(start + min(count, room) * colorBytes)
        case .bgr, .masked:
            let hasMasks = compression != 0 && version == 40
            let masksEnd = start + (hasMasks ? (compression == 6 ? 16 : 12) : 0)
            guard pixelStart >= masksEnd else {
                throw .malformed("its pixels begin inside the header")
            }
        }
    }

    private mutating func readProfile(
        _ fields: UnsafeRawBufferPointer, of bytes: UnsafeRawBufferPointer
    ) {
        guard version == 124, let kind = fields.littleEndian32(at: 56) else { return }
        let (embedded, linked) = (0x4D42_4544, 0x4C49_4E4B)  // 'MBED', 'LINK'
        guard kind == embedded, let offset = fields.littleEndian32(at: 112),
            let count = fields.littleEndian32(at: 116)
        else { return lacksProfile = kind == linked }
        let start = Self.fileHeaderBytes + offset
        guard count > 0, start <= bytes.count, count <= bytes.count - start else {
            return lacksProfile = true
        }
        profile = start..<(start + count)
    }
}
