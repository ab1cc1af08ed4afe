package import StickerValues

extension RIFF {
    /// One frame of an animated file.
    package struct AnimationFrame {
        /// The first column, even.
        package var x: Int
        /// The first row, even.
        package var y: Int
        package var size: PixelSize
        package var milliseconds: Int
        /// Whether it is drawn over the shown picture, or replaces it.
        package var isBlended: Bool
        /// The alpha plane as in an `ALPH` chunk; `nil` if the frame is opaque.
        package var alpha: [UInt8]?
        /// The colours as in a `VP8 ` chunk.
        package var color: [UInt8]

        package init(
            x: Int, y: Int, size: PixelSize, milliseconds: Int, isBlended: Bool, alpha: [UInt8]?,
            color: [UInt8]
        ) {
            (self.x, self.y, self.size) = (x, y, size)
            (self.milliseconds, self.isBlended) = (milliseconds, isBlended)
            (self.alpha, self.color) = (alpha, color)
        }

        /// The payload of its `ANMF` chunk (RFC 9649, 2.7.1.1). Frames are never disposed of.
        fileprivate var payload: [UInt8] {
            let replaces: UInt8 = 0x02
            let fields = [
                x / 2, y / 2, size.width - 1, size.height - 1, milliseconds,
            ]
            var payload = fields.flatMap { RIFF.little($0, 3) } + [isBlended ? 0 : replaces]
            if let alpha { RIFF.append("ALPH", alpha, to: &payload) }
            RIFF.append("VP8 ", color, to: &payload)
            return payload
        }
    }

    /// The bytes of an animated file besides its frames.
    package static let animationBytes = 44
    /// The bytes of a frame besides the payloads of its chunks.
    package static let frameBytes = 40

    /// The flags of VP8X, and the background of ANIM in blue, green, red and alpha, in animated files of ours.
    private static let (flagsOffset, backgroundOffset) = (20, 38)

    /// Whether an animated file declares transparency.
    package static func hasAlphaFlag(_ file: [UInt8]) -> Bool {
        file.count > animationBytes && file[flagsOffset] & WebPBitstream.alphaFlag != 0
    }

    /// An animated file whose canvas is transparent wherever no frame is. A still remains as it is.
    package static func onTransparentGround(_ file: consuming [UInt8]) -> [UInt8] {
        guard file.count > animationBytes, tag(file, headerBytes) == "VP8X",
            tag(file, backgroundOffset - 8) == "ANIM"
        else { return file }
        file[flagsOffset] |= WebPBitstream.alphaFlag
        for offset in backgroundOffset..<(backgroundOffset + 4) { file[offset] = 0 }
        return file
    }

    /// An animated file on a white background, which most consumers ignore; `loopCount` 0 plays it forever.
    package static func animation(
        size: PixelSize, loopCount: Int, frames: [AnimationFrame]
    ) -> [UInt8] {
        let alphaFlag = frames.contains { $0.alpha != nil } ? WebPBitstream.alphaFlag : 0
        let flags = alphaFlag | WebPBitstream.animationFlag
        return file {
            append("VP8X", [flags, 0, 0, 0] + sides(size), to: &$0)
            append("ANIM", [255, 255, 255, 255] + little(min(loopCount, 65535), 2), to: &$0)
            for frame in frames { append("ANMF", frame.payload, to: &$0) }
        }
    }
}
