import StickerCodecs
import StickerContainers
import StickerModel
import StickerRaster

/// WebP files built chunk by chunk, around pictures that our encoder coded.
enum TestWebP {
    /// One frame of an animation.
    struct Frame {
        var x = 0
        var y = 0
        var size: PixelSize
        var milliseconds = 100
        var methods: UInt8 = 0
        var chunks: [UInt8]

        var chunk: [UInt8] {
            let header =
                RIFF.little(x / 2, 3) + RIFF.little(y / 2, 3) + RIFF.little(size.width - 1, 3)
                + RIFF.little(size.height - 1, 3) + RIFF.little(milliseconds, 3) + [methods]
            return TestWebP.chunk("ANMF", header + chunks)
        }
    }

    static func file(_ chunks: [[UInt8]]) -> [UInt8] {
        let body = Array("WEBP".utf8) + chunks.joined()
        return Array("RIFF".utf8) + RIFF.little(body.count, 4) + body
    }

    static func chunk(_ tag: String, _ payload: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: payload.count % 2)
        return Array(tag.utf8) + RIFF.little(payload.count, 4) + payload + padding
    }

    static func header(flags: UInt8, _ size: PixelSize) -> [UInt8] {
        chunk(
            "VP8X",
            [flags, 0, 0, 0] + RIFF.little(size.width - 1, 3) + RIFF.little(size.height - 1, 3))
    }

    static let animationHeader = chunk("ANIM", [0, 0, 0, 0, 0, 0])

    static func animation(flags: UInt8, canvas: PixelSize, _ frames: [Frame]) -> [UInt8] {
        file([header(flags: flags, canvas), animationHeader] + frames.map(\.chunk))
    }

    /// The chunks of a still that carry its picture.
    static func picture(of still: [UInt8]) -> [UInt8] {
        let chunks = RIFF.chunks(of: still) ?? []
        return chunks.filter { $0.tag != "VP8X" }.flatMap {
            chunk($0.tag, Array(still[$0.payload]))
        }
    }

    /// A frame of half-transparent art, coded without loss or with it.
    static func frame(_ width: Int, _ height: Int, lossy: Bool = false, alpha: UInt8 = 128) throws
        -> Frame
    {
        let encoder = WebPEncoder(.gradient(width, height, alpha: alpha))
        let file = lossy ? try encoder.lossy(quality: 50) : try encoder.lossless(level: 0)
        return Frame(size: PixelSize(width: width, height: height), chunks: picture(of: file))
    }
}
