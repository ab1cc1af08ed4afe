import CGIF
import StickerContainers
import StickerValues

/// Owns one giflib stream. Corresponds to `GifFileType`.
final class GIFReader {
    /// The state of giflib's read callback; its address is lent for the lifetime of the stream.
    private final class Input {
        let source: SourceBytes
        var offset = 0
        var hasRunOut = false

        init(_ source: SourceBytes) { self.source = source }

        func read(into target: UnsafeMutableRawBufferPointer) -> Int {
            source.withUnsafeBytes { bytes in
                let count = min(target.count, bytes.count - offset)
                if count < target.count { hasRunOut = true }
                target.copyMemory(from: bytes.part(offset..<(offset + count)))
                offset += count
                return count
            }
        }
    }

    private let input: Input
    private let file: UnsafeMutablePointer<GifFileType>

    init(_ source: SourceBytes) throws(CodecError) {
        input = Input(source)
        var code: Int32 = 0
        let opened = DGifOpen(
            Unmanaged.passUnretained(input).toOpaque(),
            { file, target, count in
                guard let file, let context = file.pointee.UserData else { return 0 }
                let input = Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
                return Int32(
                    input.read(
                        into: UnsafeMutableRawBufferPointer(start: target, count: Int(count))))
            }, &code)
        guard let opened else { throw Self.error(code, hasRunOut: input.hasRunOut) }
        file = opened
    }

    deinit { DGifCloseFile(file, nil) }

    /// Skips extensions up to the next image and reads its descriptor.
    /// - Returns: whether there is one.
    func nextImage() throws(CodecError) -> Bool {
        var record = UNDEFINED_RECORD_TYPE
        while true {
            try check(DGifGetRecordType(file, &record))
            switch record {
            case IMAGE_DESC_RECORD_TYPE:
                try check(DGifGetImageHeader(file))
                return true
            case EXTENSION_RECORD_TYPE: try skipExtension()
            default: return false
            }
        }
    }

    /// The rectangle of the current image.
    var rectangle: PixelRectangle {
        let image = file.pointee.Image
        return PixelRectangle(
            x: Int(image.Left), y: Int(image.Top), width: Int(image.Width),
            height: Int(image.Height))
    }

    /// The colours of the current image: its own table or the global one.
    var colorTable: UnsafeBufferPointer<GifColorType>? {
        guard let map = file.pointee.Image.ColorMap ?? file.pointee.SColorMap else { return nil }
        return UnsafeBufferPointer(start: map.pointee.Colors, count: Int(map.pointee.ColorCount))
    }

    /// Decodes the next row of the current image, in the order of the file, into `indices`.
    func read(row indices: UnsafeMutableBufferPointer<UInt8>) throws(CodecError) {
        try check(DGifGetLine(file, indices.baseAddress, Int32(indices.count)))
    }

    /// Skips the data of the current image.
    func skipImage() throws(CodecError) {
        var codeSize: Int32 = 0
        var block: UnsafeMutablePointer<GifByteType>?
        try check(DGifGetCode(file, &codeSize, &block))
        while block != nil { try check(DGifGetCodeNext(file, &block)) }
    }

    private func skipExtension() throws(CodecError) {
        var label: Int32 = 0
        var block: UnsafeMutablePointer<GifByteType>?
        try check(DGifGetExtension(file, &label, &block))
        while block != nil { try check(DGifGetExtensionNext(file, &block)) }
    }

    private func check(_ status: Int32) throws(CodecError) {
        guard status != GIF_OK else { return }
        throw Self.error(file.pointee.Error, hasRunOut: input.hasRunOut)
    }

    private static func error(_ code: Int32, hasRunOut: Bool) -> CodecError {
        if hasRunOut {
            return CodecError(.truncated, .gif, "the file ends before the picture does")
        }
        let isMemory = code == D_GIF_ERR_NOT_ENOUGH_MEM
        let words = GifErrorString(code).map { String(cString: $0) } ?? "the image data is damaged"
        return CodecError(isMemory ? .outOfMemory : .malformed, .gif, words)
    }
}
