import StickerContainers
import StickerValues

/// The channels of a bitmap whose pixels are words of 16 or 32 bits.
struct BMPChannels {
    private struct Channel {
        var mask: UInt32 = 0
        var shift: UInt32 = 0
        /// The 8-bit sample of every value; of channels with more than 8 bits, only the highest 8 count.
        var samples: [UInt8] = []
    }

    private var channels: [Channel] = []
    private let isWide: Bool
    private let hasAlpha: Bool

    /// Reads all pixels if there is an alpha mask: an alpha that is 0 everywhere is not meant.
    init(_ info: BMPHeader, _ bytes: UnsafeRawBufferPointer) {
        isWide = info.bits == 32
        channels = info.masks.map(Self.channel)
        hasAlpha = info.masks.last.map { Self.isSet($0, info, bytes) } ?? false
    }

    private static func channel(_ mask: UInt32) -> Channel {
        guard mask != 0 else { return Channel() }
        let low = UInt32(mask.trailingZeroBitCount)
        let width = UInt32((mask >> low).trailingZeroBitCount == 0 ? mask.nonzeroBitCount : 0)
        let used = min(width, 8)
        let top = (1 << used) - 1 as UInt32
        return Channel(
            mask: top, shift: low + width - used,
            samples: (0...top).map { UInt8(($0 * 255 + top / 2) / top) })
    }

    private static func isSet(
        _ mask: UInt32, _ info: BMPHeader, _ bytes: UnsafeRawBufferPointer
    ) -> Bool {
        guard mask != 0 else { return false }
        let step = info.bits / 8
        for y in 0..<info.size.height {
            let start = info.pixelStart + y * info.rowBytes
            for x in 0..<info.size.width
            where word(bytes, start + x * step, isWide: step == 4) & mask != 0 { return true }
        }
        return false
    }

    @inline(__always)
    private static func word(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, isWide: Bool
    ) -> UInt32 {
        isWide
            ? UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            : UInt32(
                UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
    }

    /// Splits the words of a row.
    func expand(
        _ stored: UnsafeRawBufferPointer, into pixels: UnsafeMutableBufferPointer<SIMD4<UInt8>>
    ) {
        let step = isWide ? 4 : 2
        precondition(stored.count >= pixels.count * step && channels.count == 4)
        for x in pixels.indices {
            let word = Self.word(stored, x * step, isWide: isWide)
            pixels[x] = SIMD4(
                sample(word, channels[0]), sample(word, channels[1]), sample(word, channels[2]),
                hasAlpha ? sample(word, channels[3]) : 255)
        }
    }

    @inline(__always)
    private func sample(_ word: UInt32, _ channel: Channel) -> UInt8 {
        channel.samples.isEmpty ? 0 : channel.samples[Int(word >> channel.shift & channel.mask)]
    }
}
