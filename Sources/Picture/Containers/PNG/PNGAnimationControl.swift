/// The acTL chunk, about all frames of an APNG (PNG specification, third edition, section 11.3.6.1).
package struct PNGAnimationControl {
    /// The largest number that PNG allows; viewers ignore a chunk with a higher one.
    private static let framesMax = 0x7FFF_FFFF

    /// The promised number of frames; anything up to 2^32 - 1.
    package let frames: Int
    /// How often the animation is played; 0 means forever.
    package let plays: Int

    /// `nil` if `data` has the wrong length.
    package init?(_ data: UnsafeRawBufferPointer) {
        guard data.count == 8, let frames = data.bigEndian32(at: 0),
            let plays = data.bigEndian32(at: 4)
        else { return nil }
        (self.frames, self.plays) = (frames, plays)
    }

    /// Finds the chunk that makes a PNG an animation: it precedes the pixels and promises at least two frames, or a
    /// single one that is not the default image.
    ///
    /// A PNG with another acTL chunk, or without one, shows its default image in every viewer.
    package static func find(in bytes: UnsafeRawBufferPointer) -> PNGAnimationControl? {
        for chunk in PNGChunks(bytes) {
            if chunk.type == PNGChunkType.idat || chunk.type == PNGChunkType.iend { return nil }
            guard chunk.type == PNGChunkType.actl else { continue }
            guard let control = PNGAnimationControl(bytes.part(chunk.data)),
                1...framesMax ~= control.frames
            else { return nil }
            return control.frames > 1 || hasFramesBehindPixelsAlone(bytes) ? control : nil
        }
        return nil
    }

    /// Whether there are frames and the default image is not one of them.
    private static func hasFramesBehindPixelsAlone(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let chunks = PNGChunks(bytes)
        let first = chunks.first { $0.type == PNGChunkType.fctl || $0.type == PNGChunkType.idat }
        return first?.type == PNGChunkType.idat && chunks.contains { $0.type == PNGChunkType.fdat }
    }
}
