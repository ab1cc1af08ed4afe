import StickerCodecs
import StickerModel
import StickerRaster

/// What a finished file shows when it is decoded again.
struct Verification {
    /// A lossy sticker nearer than this to its canvas is never taken for it, in dB.
    static let decibelsMin = 25.0

    private let encoding: Encoding
    private let isExact: Bool
    private let similarity: Similarity

    /// Decodes `file` and compares it with `canvas`.
    init(
        of file: [UInt8], encoding: Encoding, canvas: borrowing PixelBuffer
    ) throws(CodecError) {
        let decoded = try WebPDecoder.still(file)
        guard decoded.size == canvas.size else {
            throw CodecError(.encoder, .webp, "the file decodes to \(decoded.size)")
        }
        self.encoding = encoding
        isExact = canvas.showsSame(as: decoded)
        similarity = canvas.similarity(to: decoded)
    }

    /// For the job log.
    var shown: String {
        isExact ? "every pixel equal" : "\(similarity.worst.shown) dB on white and black"
    }

    /// Why the file must not be published, if so.
    var refusal: Refusal? {
        if encoding.mode == .lossless {
            guard !isExact else { return nil }
            return Refusal(
                .verificationFailed, "the lossless file decodes to other pixels",
                remedy: "report it with the file; this is a fault of stickerd")
        }
        guard similarity.worst < Self.decibelsMin else { return nil }
        return Refusal(
            .willNotFit, "at the quality that fits, the sticker no longer looks like the picture",
            measured: "\(similarity.worst.shown) dB",
            limit: "at least \(Self.decibelsMin.shown) dB",
            remedy: "simplify the picture: less noise, softer texture")
    }
}
