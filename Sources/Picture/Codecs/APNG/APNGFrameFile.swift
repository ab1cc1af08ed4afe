import StickerContainers
import StickerValues

/// A frame of an APNG as a separate PNG, which libpng can read.
///
/// Its header is that of the whole file with the sides of the frame; its only data chunk contains the frame's joined
/// parts.
struct APNGFrameFile {
    private static let headerBytes = 25  // IHDR, whole
    private static let chunkFrameBytes = 12

    private let memory: LargeMemory
    private var count = 0

    /// Collects the pixels of `frame` from `source`, the APNG that `summary` was read from.
    init(
        _ frame: APNGSummary.Frame, of summary: APNGSummary, in source: UnsafeRawBufferPointer
    ) throws(CodecError) {
        memory = try LargeMemory(zeros: Self.byteCount(frame, of: summary), .png)
        PNGChunks.signature.withUnsafeBytes { append($0) }
        appendHeader(frame.rectangle.size, of: source)
        for chunk in summary.palette { append(source.part(chunk)) }
        appendPixels(frame, of: source)
        append(chunk: PNGChunkType.iend, dataBytes: 0) { _ in }
    }

    /// Memory that the file of `frame` takes.
    static func byteCount(_ frame: APNGSummary.Frame, of summary: APNGSummary) -> Int {
        PNGChunks.signature.count + headerBytes + summary.palette.reduce(0) { $0 + $1.count }
            + frame.dataBytes + 2 * chunkFrameBytes
    }

    /// Lends the whole file.
    func withBytes(
        _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        defer { withExtendedLifetime(memory) {} }
        try body(UnsafeRawBufferPointer(rebasing: memory.bytes[..<count]))
    }

    private mutating func appendHeader(_ size: PixelSize, of source: UnsafeRawBufferPointer) {
        let rest = PNGChunks.signature.count + 16
        append(chunk: PNGChunkType.ihdr, dataBytes: 13) { file in
            file.append(number: size.width)
            file.append(number: size.height)
            file.append(source.part(rest..<(rest + 5)))
        }
    }

    private mutating func appendPixels(
        _ frame: APNGSummary.Frame, of source: UnsafeRawBufferPointer
    ) {
        append(chunk: PNGChunkType.idat, dataBytes: frame.dataBytes) { file in
            for chunk in PNGChunks(source, at: frame.chunks.lowerBound) {
                guard chunk.data.upperBound <= frame.chunks.upperBound else { break }
                switch chunk.type {
                case PNGChunkType.idat: file.append(source.part(chunk.data))
                case PNGChunkType.fdat:
                    file.append(source.part(chunk.data).part(4..<chunk.data.count))
                default: break
                }
            }
        }
    }

    private mutating func append(
        chunk type: Int, dataBytes: Int, _ data: (inout APNGFrameFile) -> Void
    ) {
        append(number: dataBytes)
        let start = count
        append(number: type)
        data(&self)
        precondition(count - start == 4 + dataBytes, "a chunk is not as long as it says")
        append(
            number: Int(CRC32.checksum(UnsafeRawBufferPointer(memory.bytes).part(start..<count))))
    }

    private mutating func append(number: Int) {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { append($0) }
    }

    private mutating func append(_ part: UnsafeRawBufferPointer) {
        UnsafeMutableRawBufferPointer(rebasing: memory.bytes[count...]).copyMemory(from: part)
        count += part.count
    }
}
