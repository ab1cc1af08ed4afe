package import StickerValues

/// The header of a coded picture inside a WebP file.
package struct WebPBitstream {
    /// Set in VP8X if some pixel may be less than opaque.
    package static let alphaFlag: UInt8 = 0x10
    /// Set in VP8X of animations.
    package static let animationFlag: UInt8 = 0x02
    /// Set in VP8X if there is a colour profile.
    package static let profileFlag: UInt8 = 0x20
    /// Set in VP8X if there is an EXIF chunk.
    package static let exifFlag: UInt8 = 0x08
    /// Set in VP8X if there is an XMP chunk.
    package static let xmpFlag: UInt8 = 0x04

    package var size: PixelSize
    package var isLossless: Bool
    package var hasAlpha: Bool

    /// Reads a VP8L header (RFC 9649, 3.4): 0x2F, sides less 1 in 14 bits each, alpha, version 0.
    package init?(lossless bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count > 5, bytes.first == 0x2F else { return nil }
        let bits = bytes.dropFirst().prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard bits >> 29 == 0 else { return nil }
        size = PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
        isLossless = true
        hasAlpha = bits >> 28 & 1 == 1
    }

    /// Reads a VP8 header (RFC 6386, 9.1): a key frame that is shown, its first partition inside the
    /// chunk, a start code, sides in 14 bits each without scaling.
    package init?(lossy bytes: some RandomAccessCollection<UInt8>) {
        let head = Array(bytes.prefix(10))
        guard head.count == 10, head[3...5] == [0x9D, 0x01, 0x2A] else { return nil }
        let tag = Int(head[0]) | Int(head[1]) << 8 | Int(head[2]) << 16
        let (isKey, profile, isShown) = (tag & 1 == 0, tag >> 1 & 7, tag >> 4 & 1 == 1)
        guard isKey, profile <= 3, isShown, tag >> 5 <= bytes.count - 10 else { return nil }
        let (width, height) = (Int(head[6]) | Int(head[7]) << 8, Int(head[8]) | Int(head[9]) << 8)
        guard 1...0x3FFF ~= width, 1...0x3FFF ~= height else { return nil }
        size = PixelSize(width: width, height: height)
        isLossless = false
        hasAlpha = false
    }

    /// Whether an ALPH chunk begins correctly (RFC 9649, 2.7.1.2), and is complete if it is stored raw.
    static func isAlpha(_ bytes: ArraySlice<UInt8>, of size: PixelSize) -> Bool {
        guard let head = bytes.first, bytes.count > 1, head & 0xC0 == 0 else { return false }
        let (compression, preprocessing) = (head & 3, head >> 4 & 3)
        guard compression <= 1, preprocessing <= 1 else { return false }
        return compression == 1 || bytes.count == 1 + size.pixelCount
    }
}
