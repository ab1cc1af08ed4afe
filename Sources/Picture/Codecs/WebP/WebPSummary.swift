import StickerContainers
import StickerRaster
import StickerValues

/// The statements of the chunks of a WebP file, read without decoding a pixel (RFC 9649).
///
/// Contradictory flags, sizes and chunks are refused, as in PNG. Unknown chunks are skipped, as the format requires,
/// and so is anything after the stated end.
struct WebPSummary {
    /// A picture and its place.
    struct Frame {
        var rectangle: PixelRectangle
        var disposal = FrameDisposal.keep
        /// Whether it is drawn over the canvas, or replaces it.
        var isBlended = true
        var delayMilliseconds = 0
        /// The chunks that libwebp decodes: `VP8L`, `VP8 `, or `ALPH` and `VP8 `.
        var chunks: Range<Int>
        var isLossless: Bool
        var hasAlpha: Bool
    }

    private(set) var size: PixelSize
    private(set) var isAnimated = false
    /// In the order in which they are shown; one in a still.
    private(set) var frames: [Frame] = []
    /// How often an animation is played; 0 means forever.
    private(set) var loopCount = 1
    private(set) var orientation = Orientation.up
    private(set) var profile: ColorFacts.Profile?

    /// The file, which outlives this.
    let bytes: UnsafeRawBufferPointer
    private var flags: UInt8 = 0
    private var hasEXIF = false

    /// Walks all chunks once.
    init(_ bytes: UnsafeRawBufferPointer, limits: DecodeLimits) throws(CodecError) {
        guard let stated = WebPChunks.statedBytes(bytes) else {
            throw Self.fault("it does not begin as RIFF WEBP")
        }
        guard stated <= bytes.count else {
            throw CodecError(.truncated, .webp, "the file ends before its stated end")
        }
        self.bytes = bytes
        var chunks = WebPChunks(bytes)
        guard let first = chunks.next() else { throw Self.fault("it has no whole chunk") }
        if bytes.has("VP8X", at: first.start) {
            guard let canvas = bytes.webpSides(at: first.data.lowerBound + 4),
                first.data.count >= 10
            else { throw Self.fault("its VP8X chunk is too short") }
            flags = bytes[first.data.lowerBound]
            size = canvas
            try limits.check(size, .webp)
            isAnimated = flags & WebPBitstream.animationFlag != 0
            try readExtended(&chunks, limits)
        } else {
            let frame = try Self.picture(bytes, [first], at: nil)
            size = frame.rectangle.size
            try limits.check(size, .webp)
            frames = [frame]
            while chunks.next() != nil {}
        }
        guard chunks.isAtEnd else {
            throw Self.fault("a chunk reaches beyond the end that the file states")
        }
    }

    /// The sum of all delays.
    var durationMilliseconds: Int { frames.reduce(0) { $0 + $1.delayMilliseconds } }

    /// Whether the canvas can have pixels that are not opaque.
    var hasAlpha: Bool {
        frames.contains { $0.hasAlpha || $0.disposal == .clear }
            || frames.first?.rectangle.size != size
    }

    /// libwebp's memory for the largest picture besides its result and these.
    var workingBytes: Int {
        // The decoder holds lossless pictures completely, of others the alpha plane.
        frames.map { $0.rectangle.size.pixelCount * ($0.isLossless ? 8 : 5) }.max() ?? 0
    }

    // MARK: Chunks

    private mutating func readExtended(
        _ chunks: inout WebPChunks, _ limits: DecodeLimits
    ) throws(CodecError) {
        var still: [WebPChunks.Chunk] = []
        var hasControl = false
        while let chunk = chunks.next() {
            if bytes.has("ANMF", at: chunk.start), isAnimated {
                guard hasControl else { throw Self.fault("a frame stands in front of ANIM") }
                try addFrame(chunk, limits)
            } else if bytes.has("ANIM", at: chunk.start), isAnimated {
                guard let loops = bytes.littleEndian16(at: chunk.data.lowerBound + 4),
                    chunk.data.count >= 6
                else { throw Self.fault("its ANIM chunk is too short") }
                (loopCount, hasControl) = (loops, true)
            } else if Self.isPicture(bytes, chunk) {
                still.append(chunk)
            } else {
                readMetadata(chunk)
            }
        }
        guard !isAnimated else {
            guard still.isEmpty else { throw Self.fault("a still stands among the frames") }
            guard !frames.isEmpty else {
                throw CodecError(.noFrames, .webp, "the animation has no frame")
            }
            return
        }
        frames = [try Self.picture(bytes, still[...], at: PixelRectangle(all: size))]
    }

    /// The first chunk of a kind counts.
    private mutating func readMetadata(_ chunk: WebPChunks.Chunk) {
        if flags & 0x20 != 0, bytes.has("ICCP", at: chunk.start), profile == nil {
            profile = ColorFacts.Profile(bytes.part(chunk.data))
        } else if flags & 0x08 != 0, bytes.has("EXIF", at: chunk.start), !hasEXIF {
            hasEXIF = true
            orientation = EXIF.orientation(bytes.part(chunk.data))
        }
    }

    /// Half the offsets, the sides less 1 and the time in three bytes each; then a byte of flags.
    private mutating func addFrame(
        _ chunk: WebPChunks.Chunk, _ limits: DecodeLimits
    ) throws(CodecError) {
        let count = frames.count + 1
        let (pixels, overflow) = size.pixelCount.multipliedReportingOverflow(by: count)
        try limits.check(frameCount: count, totalPixels: overflow ? .max : pixels, .webp)
        let start = chunk.data.lowerBound
        guard let x = bytes.littleEndian24(at: start), let y = bytes.littleEndian24(at: start + 3),
            let sides = bytes.webpSides(at: start + 6),
            let milliseconds = bytes.littleEndian24(at: start + 12), chunk.data.count >= 16
        else { throw Self.fault("frame \(frames.count) has no room for its header") }
        let place = PixelRectangle(
            x: 2 * x, y: 2 * y, width: sides.width, height: sides.height)
        guard place.clipped(to: size) == place else {
            throw Self.fault(
                "frame \(frames.count), \(sides) at \(place.x),\(place.y), leaves the canvas of \(size)"
            )
        }
        var parts = WebPChunks(bytes, in: chunk.data.dropFirst(16))
        var picture: [WebPChunks.Chunk] = []
        while let part = parts.next() {
            if Self.isPicture(bytes, part) { picture.append(part) }
        }
        guard parts.isAtEnd else {
            throw Self.fault("frame \(frames.count) has a chunk that reaches beyond it")
        }
        var frame = try Self.picture(bytes, picture[...], at: place)
        let methods = bytes[start + 15]
        frame.disposal = methods & 1 == 1 ? .clear : .keep
        frame.isBlended = methods & 2 == 0
        frame.delayMilliseconds = AnimationFrame.delay(asked: milliseconds)
        frames.append(frame)
    }

    // MARK: Pictures

    private static func isPicture(
        _ bytes: UnsafeRawBufferPointer, _ chunk: WebPChunks.Chunk
    ) -> Bool {
        ["VP8 ", "VP8L", "ALPH"].contains { bytes.has($0, at: chunk.start) }
    }

    /// Reads the header of a picture that consists of `chunks` and lies at `place`, if known.
    private static func picture(
        _ bytes: UnsafeRawBufferPointer, _ chunks: ArraySlice<WebPChunks.Chunk>,
        at place: PixelRectangle?
    ) throws(CodecError) -> Frame {
        guard let last = chunks.last, let first = chunks.first, chunks.count <= 2,
            !bytes.has("ALPH", at: last.start),
            chunks.count == 1 || bytes.has("ALPH", at: first.start)
        else { throw Self.fault("it has other chunks than those of one picture") }
        let data = bytes[last.data]
        let isLossless = bytes.has("VP8L", at: last.start)
        guard isLossless || bytes.has("VP8 ", at: last.start) else {
            throw Self.fault("it begins with a chunk that is no picture")
        }
        guard !isLossless || chunks.count == 1 else {
            throw Self.fault("a lossless picture has an alpha plane of its own")
        }
        let read = isLossless ? WebPBitstream(lossless: data) : WebPBitstream(lossy: data)
        guard let picture = read else { throw Self.fault("the header of its pixels is damaged") }
        let place = place ?? PixelRectangle(all: picture.size)
        guard picture.size == place.size else {
            throw Self.fault(
                "a picture of \(picture.size) stands where one of \(place.size) belongs")
        }
        return Frame(
            rectangle: place, chunks: first.start..<last.data.upperBound,
            isLossless: isLossless, hasAlpha: picture.hasAlpha || chunks.count == 2)
    }

    private static func fault(_ detail: String) -> CodecError {
        CodecError(.malformed, .webp, detail)
    }
}
