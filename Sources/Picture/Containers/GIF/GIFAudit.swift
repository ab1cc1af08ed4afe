public import StickerValues

/// Checks a finished GIF file block by block (GIF89a specification), without decoding pixels.
///
/// It accepts only the output of our encoder: images with their graphic control, the loop, and nothing after the
/// trailer.
public enum GIFAudit {
    /// The faults of `file`. Any bytes are allowed.
    ///
    /// - Parameters:
    ///   - file: the whole file.
    ///   - size: pixels that the screen must have.
    ///   - frames: the exact number of images.
    ///   - durationMilliseconds: the exact sum of the delays as stored; `nil` accepts any.
    /// - Returns: a clause for each fault, at most 20.
    public static func faults(
        in file: [UInt8], size: PixelSize, frames: Int, durationMilliseconds: Int?
    ) -> [String] {
        file.withUnsafeBytes { bytes in
            var run = AuditRun(bytes: bytes, size: size)
            run.inspect(frames: frames, durationMilliseconds: durationMilliseconds)
            return run.faults.clauses
        }
    }
}

/// One audit of one file.
private struct AuditRun {
    let bytes: UnsafeRawBufferPointer
    let size: PixelSize
    private(set) var faults = Faults()
    private var images = 0
    private var milliseconds = 0

    init(bytes: UnsafeRawBufferPointer, size: PixelSize) {
        self.bytes = bytes
        self.size = size
    }

    mutating func inspect(frames: Int, durationMilliseconds: Int?) {
        checkScreen()
        var blocks = GIFBlocks(bytes)
        while let block = blocks.next() { check(block) }
        check(blocks.ending)
        if images != frames { faults.note("\(images) images instead of \(frames)") }
        guard let expected = durationMilliseconds, milliseconds != expected else { return }
        faults.note("the frames last \(milliseconds) ms instead of \(expected)")
    }

    private mutating func checkScreen() {
        if !bytes.has("GIF89a") { faults.note("the file does not begin as GIF89a") }
        guard let found = GIFBlocks.screenSize(bytes) else {
            return faults.note("the file ends within its header")
        }
        if found != size { faults.note("the screen is \(found) instead of \(size)") }
    }

    private mutating func check(_ block: GIFBlocks.Block) {
        switch block {
        case .image(let descriptor): checkImage(at: descriptor)
        case .extension(0xF9, let data): addDelay(at: data)
        case .extension(0xFF, let data):
            let isLoop = bytes.byte(at: data) == 11 && bytes.has("NETSCAPE2.0", at: data + 1)
            if !isLoop { faults.note("there is an application block other than the loop") }
        case .extension(let label, _):
            faults.note("there is an extension block with label \(label)")
        }
    }

    private mutating func checkImage(at descriptor: Int) {
        images += 1
        guard let (x, y, width, height) = GIFBlocks.area(bytes, at: descriptor) else { return }
        let name = "image \(images - 1), \(width)x\(height) at \(x),\(y),"
        if width == 0 || height == 0 { faults.note("\(name) is empty") }
        if x + width > size.width || y + height > size.height {
            faults.note("\(name) leaves the screen")
        }
    }

    private mutating func addDelay(at data: Int) {
        guard bytes.byte(at: data) == 4, bytes.byte(at: data + 5) == 0,
            let centiseconds = bytes.littleEndian16(at: data + 2)
        else { return faults.note("a graphic control block has a wrong length") }
        milliseconds += 10 * centiseconds
    }

    private mutating func check(_ ending: GIFBlocks.Ending) {
        switch ending {
        case .trailer(let end):
            if end != bytes.count { faults.note("\(bytes.count - end) bytes follow the trailer") }
        case .noTrailer: faults.note("there is no trailer")
        case .cut: faults.note("the last block is cut off")
        case .unknownBlock(let introducer): faults.note("no block begins with \(introducer)")
        }
    }
}
