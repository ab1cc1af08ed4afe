import CGIF
import StickerValues

/// Owns one giflib output stream that writes to memory. Corresponds to `GifFileType`.
final class GIFWriter {
    /// One image block and its graphic control.
    struct Frame {
        var area: PixelRectangle
        /// In the order of their places, from 1.
        var colors: [UInt32]
        /// Whether the colours are those of the table for the whole file.
        var isShared: Bool
        /// Whether the area is cleared once the frame has been shown.
        var clears: Bool
        /// Hundredths of a second, at most 65535.
        var delay: Int
    }

    /// The state of giflib's write callback; its address is lent for the lifetime of the stream.
    private final class Output {
        var bytes: [UInt8] = []
        let bytesMax: Int
        var isTooLarge = false

        init(bytesMax: Int) { self.bytesMax = bytesMax }

        func append(_ part: UnsafeBufferPointer<UInt8>) {
            guard !isTooLarge else { return }
            bytes.append(contentsOf: part)
            if bytes.count > bytesMax { (isTooLarge, bytes) = (true, []) }
        }
    }

    /// The offset of the flags of the screen and the shared colour table in the file.
    private static let flagsOffset = 10
    private static let sharedTable = 13..<(13 + 3 * 256)

    private let output: Output
    private var file: UnsafeMutablePointer<GifFileType>?

    /// Writes the header, with room for 256 shared colours, and the request to loop forever.
    init(size: PixelSize, bytesMax: Int) throws(CodecError) {
        output = Output(bytesMax: bytesMax)
        var code: Int32 = 0
        file = EGifOpen(
            Unmanaged.passUnretained(output).toOpaque(),
            { file, bytes, count in
                guard let file, let context = file.pointee.UserData else { return 0 }
                let output = Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
                output.append(UnsafeBufferPointer(start: bytes, count: Int(count)))
                return count
            }, &code)
        guard file != nil else { throw Self.error(code) }
        EGifSetGifVersion(file, true)
        let (width, height) = (Int32(size.width), Int32(size.height))
        try withColorMap([], bits: 8) { map throws(CodecError) in
            try check(EGifPutScreenDesc(file, width, height, 8, 0, map))
        }
        try writeLoop()
    }

    deinit { _ = file.map { EGifCloseFile($0, nil) } }

    /// Whether the file outgrew `bytesMax`; its bytes are then discarded.
    var isTooLarge: Bool { output.isTooLarge }

    /// Writes a frame; `indices` has rows as wide as the screen, and 0 where nothing is drawn.
    func write(_ frame: Frame, _ indices: UnsafeMutableBufferPointer<UInt8>) throws(CodecError) {
        guard let file else { return }
        let bits = Self.bits(for: frame.colors)
        let control: [UInt8] = [
            (frame.clears ? 2 : 1) << 2 | 1, UInt8(frame.delay & 0xFF), UInt8(frame.delay >> 8), 0,
        ]
        try check(EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, control))
        // giflib derives the code size from the map; the shared one is not full yet.
        file.pointee.SColorMap.pointee.BitsPerPixel = Int32(bits)
        try withColorMap(frame.isShared ? nil : frame.colors, bits: bits) {
            map throws(CodecError) in
            let area = frame.area
            try check(
                EGifPutImageDesc(
                    file, Int32(area.x), Int32(area.y), Int32(area.width), Int32(area.height),
                    false, map))
        }
        let (stride, area) = (Int(file.pointee.SWidth), frame.area)
        for y in area.y..<(area.y + area.height) {
            let start = y * stride + area.x
            let row = UnsafeMutableBufferPointer(rebasing: indices[start..<(start + area.width)])
            try check(EGifPutLine(file, row.baseAddress, Int32(row.count)))
        }
    }

    /// Ends the file and fills in the shared colours, in the smallest table that holds them.
    /// - Returns: the file, or `nil` if it is too large.
    func finish(colors: [UInt32]) throws(CodecError) -> [UInt8]? {
        guard let file else { return nil }
        self.file = nil
        var code: Int32 = 0
        guard EGifCloseFile(file, &code) == GIF_OK else { throw Self.error(code) }
        guard !output.isTooLarge else { return nil }
        let bits = Self.bits(for: colors)
        output.bytes[Self.flagsOffset] = 0xF0 | UInt8(bits - 1)
        output.bytes.replaceSubrange(Self.sharedTable, with: Self.table(colors, bits: bits))
        return output.bytes
    }

    /// Netscape's extension: play it any number of times.
    private func writeLoop() throws(CodecError) {
        try check(EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE))
        try check(EGifPutExtensionBlock(file, 11, "NETSCAPE2.0"))
        try check(EGifPutExtensionBlock(file, 3, [1, 0, 0] as [UInt8]))
        try check(EGifPutExtensionTrailer(file))
    }

    /// Bits that count the colours and transparency.
    private static func bits(for colors: [UInt32]) -> Int {
        max(1, Int.bitWidth - colors.count.leadingZeroBitCount)
    }

    /// Red, green and blue of transparency, of each colour, and of the unused rest.
    private static func table(_ colors: [UInt32], bits: Int) -> [UInt8] {
        var table: [UInt8] = [0, 0, 0]
        for color in colors {
            let color = UInt32(littleEndian: color)
            for shift in [0, 8, 16] as [UInt32] {
                table.append(UInt8(truncatingIfNeeded: color >> shift))
            }
        }
        return table + [UInt8](repeating: 0, count: (3 << bits) - table.count)
    }

    private func withColorMap(
        _ colors: [UInt32]?, bits: Int,
        _ body: (UnsafeMutablePointer<ColorMapObject>?) throws(CodecError) -> Void
    ) throws(CodecError) {
        guard let colors else { return try body(nil) }
        guard let map = GifMakeMapObject(1 << Int32(bits), nil) else {
            throw CodecError(.outOfMemory, .gif, "no memory for a colour table")
        }
        defer { GifFreeMapObject(map) }
        let table = Self.table(colors, bits: bits)
        for index in 0..<(1 << bits) {
            map.pointee.Colors[index] = GifColorType(
                Red: table[3 * index], Green: table[3 * index + 1], Blue: table[3 * index + 2])
        }
        try body(map)
    }

    private func check(_ status: Int32) throws(CodecError) {
        guard status != GIF_OK else { return }
        throw Self.error(file?.pointee.Error ?? 0)
    }

    private static func error(_ code: Int32) -> CodecError {
        let words = GifErrorString(code).map { String(cString: $0) } ?? "giflib gave no reason"
        return CodecError(code == E_GIF_ERR_NOT_ENOUGH_MEM ? .outOfMemory : .encoder, .gif, words)
    }
}
