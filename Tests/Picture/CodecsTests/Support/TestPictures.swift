import CTurboJPEG
import StickerContainers
import StickerRaster
import StickerValues
import Testing

/// Numbers that look random and are the same on every run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// A picture whose pixels a function of column and row gives.
func picture(
    _ width: Int, _ height: Int, _ pixel: (Int, Int) -> SIMD4<UInt8>
) -> PixelBuffer {
    var buffer = PixelBuffer(size: PixelSize(width: width, height: height))
    for y in 0..<height {
        for x in 0..<width { buffer[x, y] = pixel(x, y) }
    }
    return buffer
}

/// A smooth picture with many colours; `alpha` for all of it.
func gradient(_ width: Int, _ height: Int, alpha: UInt8 = 255) -> PixelBuffer {
    picture(width, height) { x, y in
        SIMD4(UInt8(x * 255 / width), UInt8(y * 255 / height), UInt8((x + y) & 0xFF), alpha)
    }
}

/// The bytes of a picture.
func bytes(of buffer: borrowing PixelBuffer) -> [UInt8] {
    buffer.withUnsafeBytes { Array($0) }
}

/// JPEG files made by TurboJPEG.
enum TestJPEG {
    static func encode(
        _ buffer: borrowing PixelBuffer, subsampling: TJSAMP = TJSAMP_420, flags: Int32 = 0,
        pixelFormat: TJPF = TJPF_RGBA
    ) throws -> [UInt8] {
        let handle = try #require(tjInitCompress())
        defer { tjDestroy(handle) }
        var file: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        defer { tjFree(file) }
        let size = buffer.size
        let status = buffer.withUnsafeBytes { pixels in
            tjCompress2(
                handle, pixels.assumingMemoryBound(to: UInt8.self).baseAddress, Int32(size.width),
                0, Int32(size.height), pixelFormat.rawValue, &file, &count,
                Int32(subsampling.rawValue),
                90, flags)
        }
        try #require(status == 0)
        return Array(UnsafeBufferPointer(start: file, count: Int(count)))
    }

    static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        let length = data.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + data
    }

    /// `file` with `bytes` put right behind its start marker.
    static func inserting(_ bytes: [UInt8], into file: [UInt8]) -> [UInt8] {
        Array(file[..<2]) + bytes + file[2...]
    }

    /// The offset of the first segment of this kind.
    static func offset(of marker: UInt8, in file: [UInt8]) throws -> Int {
        let segment = file.withUnsafeBytes { bytes in
            JPEGSegments(bytes).first { $0.marker == marker }
        }
        return try #require(segment).data.lowerBound - 4
    }

    /// An APP1 segment whose EXIF tells of `orientation`.
    static func exif(orientation: UInt8) -> [UInt8] {
        segment(0xE1, Array("Exif\0\0".utf8) + tiff(orientation: orientation))
    }

    /// A TIFF block with one entry, little-endian.
    static func tiff(orientation: UInt8) -> [UInt8] {
        [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
    }
}
