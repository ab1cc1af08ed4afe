import StickerCodecs
import StickerContainers
import StickerRaster
import StickerValues
import Testing

/// WebP files put together chunk by chunk.
enum TestWebP {
    /// A frame of one colour.
    struct Frame {
        var x = 0
        var y = 0
        var width = 4
        var height = 4
        var color = SIMD4<UInt8>(255, 0, 0, 255)
        var milliseconds = 100
        var isBlended = true
        var isDisposed = false
    }

    static func chunk(_ tag: String, _ payload: [UInt8]) -> [UInt8] {
        Array(tag.utf8) + RIFF.little(payload.count, 4) + payload
            + [UInt8](repeating: 0, count: payload.count % 2)
    }

    static func file(_ chunks: [[UInt8]]) -> [UInt8] {
        let body = Array("WEBP".utf8) + chunks.flatMap { $0 }
        return Array("RIFF".utf8) + RIFF.little(body.count, 4) + body
    }

    static func header(_ width: Int, _ height: Int, flags: UInt8) -> [UInt8] {
        chunk("VP8X", [flags, 0, 0, 0] + RIFF.little(width - 1, 3) + RIFF.little(height - 1, 3))
    }

    /// The VP8L chunk of a picture.
    static func pixels(_ picture: borrowing PixelBuffer) throws -> [UInt8] {
        Array(try WebPEncoder(picture).lossless(level: 1).dropFirst(RIFF.headerBytes))
    }

    static func animation(
        _ frames: [Frame], width: Int = 8, height: Int = 8, loops: Int = 0
    ) throws -> [UInt8] {
        let control = chunk("ANIM", [255, 255, 255, 255] + RIFF.little(loops, 2))
        return file([header(width, height, flags: 0x12), control] + (try frames.map(chunk)))
    }

    static func chunk(_ frame: Frame) throws -> [UInt8] {
        let methods: UInt8 = (frame.isDisposed ? 1 : 0) | (frame.isBlended ? 0 : 2)
        let fields = [
            frame.x / 2, frame.y / 2, frame.width - 1, frame.height - 1, frame.milliseconds,
        ]
        return chunk(
            "ANMF",
            fields.flatMap { RIFF.little($0, 3) } + [methods]
                + (try pixels(picture(frame.width, frame.height) { _, _ in frame.color })))
    }
}
