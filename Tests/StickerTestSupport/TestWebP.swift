import StickerContainers
package import StickerValues

/// WebP files built chunk by chunk, around pictures that an encoder coded.
package enum TestWebP {
    /// One frame of an animation.
    package struct Frame {
        package var x = 0
        package var y = 0
        package var size: PixelSize
        package var milliseconds = 100
        package var methods: UInt8 = 0
        package var chunks: [UInt8]

        package init(size: PixelSize, milliseconds: Int = 100, chunks: [UInt8]) {
            (self.size, self.milliseconds, self.chunks) = (size, milliseconds, chunks)
        }

        package var chunk: [UInt8] {
            let header =
                RIFF.little(x / 2, 3) + RIFF.little(y / 2, 3) + RIFF.little(size.width - 1, 3)
                + RIFF.little(size.height - 1, 3) + RIFF.little(milliseconds, 3) + [methods]
            return TestWebP.chunk("ANMF", header + chunks)
        }
    }

    package static func file(_ chunks: [[UInt8]]) -> [UInt8] {
        let body = Array("WEBP".utf8) + chunks.joined()
        return Array("RIFF".utf8) + RIFF.little(body.count, 4) + body
    }

    package static func chunk(_ tag: String, _ payload: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: payload.count % 2)
        return Array(tag.utf8) + RIFF.little(payload.count, 4) + payload + padding
    }

    package static func header(flags: UInt8, _ size: PixelSize) -> [UInt8] {
        chunk(
            "VP8X",
            [flags, 0, 0, 0] + RIFF.little(size.width - 1, 3) + RIFF.little(size.height - 1, 3))
    }

    package static let animationHeader = chunk("ANIM", [0, 0, 0, 0, 0, 0])

    package static func animation(flags: UInt8, canvas: PixelSize, _ frames: [Frame]) -> [UInt8] {
        file([header(flags: flags, canvas), animationHeader] + frames.map(\.chunk))
    }

    /// The chunks of a still that carry its picture.
    package static func picture(of still: [UInt8]) -> [UInt8] {
        let chunks = RIFF.chunks(of: still) ?? []
        return chunks.filter { $0.tag != "VP8X" }.flatMap {
            chunk($0.tag, Array(still[$0.payload]))
        }
    }
}
