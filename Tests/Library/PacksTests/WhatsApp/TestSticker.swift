import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues

/// Files of stickers that WhatsApp takes, and ways to spoil them.
enum TestSticker {
    /// A disc on nothing, without loss: a bare VP8L chunk.
    static let still: [UInt8] = {
        do { return try still(.sticker) } catch { preconditionFailure("\(error)") }
    }()
    /// Two frames of 100 ms.
    static let moving: [UInt8] = {
        do { return try moving([100, 100]) } catch { preconditionFailure("\(error)") }
    }()

    static func still(_ size: PixelSize) throws -> [UInt8] {
        try WebPEncoder(.disc(size)).lossless(level: 0)
    }

    /// Discs of different colours that are shown for so many milliseconds each.
    static func moving(_ milliseconds: [Int], _ size: PixelSize = .sticker) throws -> [UInt8] {
        let encoder = try WebPAnimationEncoder(size: size, loopCount: 0, level: 0)
        for (index, time) in milliseconds.enumerated() {
            try encoder.add(.disc(size, green: UInt8(index * 40 % 256)), milliseconds: time)
        }
        return try encoder.finish()
    }

    /// Two frames of 64x64 pixels on a canvas of 512x512, the first one as `change` leaves it.
    static func frames(
        flags: UInt8 = 0x12, _ change: (inout TestWebP.Frame) -> Void
    ) throws -> [UInt8] {
        let size = PixelSize(width: 64, height: 64)
        let frame = TestWebP.Frame(size: size, chunks: TestWebP.picture(of: try still(size)))
        var changed = frame
        change(&changed)
        return TestWebP.animation(flags: flags, canvas: .sticker, [changed, frame])
    }

    /// An animation by its header, of one frame.
    static func oneFrame() throws -> [UInt8] {
        let frame = TestWebP.Frame(size: .sticker, chunks: TestWebP.picture(of: still))
        return TestWebP.animation(flags: 0x12, canvas: .sticker, [frame])
    }

    /// `file` made as long as `bytes`, an even number, by a note as WhatsApp's own packs carry it.
    static func padded(_ file: [UInt8], to bytes: Int) -> [UInt8] {
        let extended = adding("EXIF", packNote(bytes: 22), flag: 0x08, to: file)
        return adding("EXIF", packNote(bytes: 22 + bytes - extended.count), flag: 0x08, to: file)
    }

    /// `file` with a chunk at its end, and with a VP8X chunk that says so.
    static func adding(
        _ tag: String, _ payload: [UInt8], flag: UInt8, to file: [UInt8]
    ) -> [UInt8] {
        let chunk = TestWebP.chunk(tag, payload)
        guard RIFF.chunks(of: file)?.first?.tag == "VP8X" else {
            return TestWebP.file([
                TestWebP.header(flags: 0x10 | flag, .sticker), TestWebP.picture(of: file), chunk,
            ])
        }
        var extended = TestWebP.file([Array(file[RIFF.headerBytes...]), chunk])
        extended[20] |= flag
        return extended
    }

    /// EXIF with JSON of blanks under the tag 0x5741; `bytes` long, at least 22.
    static func packNote(bytes: Int) -> [UInt8] {
        let length = bytes - 22
        return Array("II*\0".utf8) + RIFF.little(8, 4) + RIFF.little(1, 2) + RIFF.little(0x5741, 2)
            + RIFF.little(7, 2) + RIFF.little(length, 4) + RIFF.little(22, 4)
            + [UInt8](repeating: UInt8(ascii: " "), count: length)
    }

    /// A PNG as far as headers say; `bytes` long if that is given.
    static func png(_ width: Int, _ height: Int, bytes: Int? = nil) -> [UInt8] {
        let header = TestPNG.header(width, height)
        let file = TestPNG.file([
            header, TestPNG.chunk("IDAT", [1, 2, 3]), TestPNG.chunk("IEND"),
        ])
        guard let bytes else { return file }
        let text = [UInt8](repeating: 65, count: bytes - file.count - 12)
        return TestPNG.inserting(TestPNG.chunk("teXt", text), into: file)
    }
}
