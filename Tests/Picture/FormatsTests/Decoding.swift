import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

/// A decoded picture, upright, as straight RGBA in 8 bits.
struct Decoded: Equatable {
    var size: PixelSize
    var bytes: [UInt8]

    subscript(x: Int, y: Int) -> [UInt8] {
        let start = (y * size.width + x) * 4
        return Array(bytes[start..<(start + 4)])
    }
}

/// Decodes a still to its end; its colours are not converted.
func decode(_ decoder: any StillDecoding) throws(CodecError) -> Decoded {
    let header = decoder.header
    var bytes: [UInt8] = []
    try decoder.decode(size: header.size) { row in
        if header.layout == .rgba16 {
            for index in stride(from: 0, to: row.count, by: 2) {
                let sample = row.loadUnaligned(fromByteOffset: index, as: UInt16.self)
                bytes.append(UInt8((Int(sample) + 128) / 257))
            }
        } else {
            bytes += row
        }
    }
    return Decoded(size: header.size, bytes: bytes).upright(from: header.orientation)
}

extension Decoded {
    /// Undoes the way in which it is stored (EXIF 2.32, tag 0x0112).
    fileprivate func upright(from orientation: Orientation) -> Decoded {
        let size = orientation.transposes ? size.transposed : size
        var upright = Decoded(size: size, bytes: [])
        let (right, bottom) = (self.size.width - 1, self.size.height - 1)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let place =
                    switch orientation {
                    case .up: (x, y)
                    case .upMirrored: (right - x, y)
                    case .down: (right - x, bottom - y)
                    case .downMirrored: (x, bottom - y)
                    case .leftMirrored: (y, x)
                    case .right: (y, bottom - x)
                    case .rightMirrored: (right - y, bottom - x)
                    case .left: (right - y, x)
                    }
                upright.bytes += self[place.0, place.1]
            }
        }
        return upright
    }
}

/// How decoding ended: with pixels or with an error, never otherwise.
enum Ending: Equatable {
    case pixels(Int)
    case error(CodecError)

    init(_ body: () throws(CodecError) -> Decoded) {
        do {
            self = .pixels(try body().bytes.hashValue)
        } catch {
            self = .error(error)
        }
    }
}

/// Cuts `file` at many lengths below its own, at all of them in the first and last 300 bytes; none may
/// give pixels.
func expectNoPixelsFromAnyPrefix(
    of file: [UInt8], _ ending: ([UInt8]) -> Ending, location: SourceLocation = #_sourceLocation
) {
    for length in 0..<file.count
    where length < 300 || length > file.count - 300 || length % 17 == 0 {
        if case .pixels = ending(Array(file[..<length])) {
            Issue.record("pixels from \(length) of \(file.count) bytes", sourceLocation: location)
        }
    }
}

/// Changes bytes of `file` at random; decoding ends, twice in the same way.
func expectStableEndings(
    of file: [UInt8], rounds: Int, _ ending: ([UInt8]) -> Ending,
    location: SourceLocation = #_sourceLocation
) {
    var numbers = SeededGenerator(seed: 20_260_101)
    for round in 0..<rounds {
        var damaged = file
        for _ in 0...(round % 4) {
            damaged[Int.random(in: 0..<file.count, using: &numbers)] = UInt8.random(
                in: 0...255, using: &numbers)
        }
        #expect(ending(damaged) == ending(damaged), sourceLocation: location)
    }
}
