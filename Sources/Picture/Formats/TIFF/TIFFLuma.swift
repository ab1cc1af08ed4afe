import CTIFF
import StickerCodecs
import StickerValues

/// YCbCr of a TIFF as red, green and blue in 8 bits (TIFF 6.0, section 21).
struct TIFFLuma {
    private let share: SIMD3<Float>
    /// Black of luma, and the middle of both kinds of chroma.
    private let zero: SIMD3<Float>
    /// The value of a step of each.
    private let scale: SIMD3<Float>

    /// - Throws: `CodecError.malformed` for unusable fields.
    init(_ info: ctiff_info) throws(CodecError) {
        let reference = info.reference
        share = SIMD3(info.luma.0, info.luma.1, info.luma.2)
        zero = SIMD3(reference.0, reference.2, reference.4)
        let range = SIMD3(reference.1, reference.3, reference.5) - zero
        scale = SIMD3(255, 127, 127) / range
        let isUsable = [share.x, share.y, share.z, scale.x, scale.y, scale.z].allSatisfy {
            $0.isFinite && abs($0) < 1000
        }
        guard isUsable, share.y > 0.001, range.min() > 0 else {
            throw CodecError(.malformed, .tiff, "the coefficients of its YCbCr make no sense")
        }
    }

    func color(_ luma: UInt16, _ blue: UInt16, _ red: UInt16) -> SIMD3<UInt32> {
        let value = (SIMD3(Float(luma), Float(blue), Float(red)) - zero) * scale
        let r = value.z * (2 - 2 * share.x) + value.x
        let b = value.y * (2 - 2 * share.z) + value.x
        let g = (value.x - share.z * b - share.x * r) / share.y
        return SIMD3(Self.sample(r), Self.sample(g), Self.sample(b))
    }

    private static func sample(_ value: Float) -> UInt32 {
        UInt32(max(0, min(255, value)).rounded())
    }
}
