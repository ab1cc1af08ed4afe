import StickerValues

/// Receives the rows of one channel at one scale.
protocol ChannelRows: AnyObject {
    /// Which channel.
    var channel: OpponentChannel { get }

    /// Takes the next row, with zeros in its margins. After the last one, the work is done.
    func append(_ row: Row)
}

/// Passes on the rows of a picture as they come, at the full size, half of it, a quarter and so on.
///
/// Only the last two rows of each scale are kept.
final class LightPyramid<Taker: ChannelRows> {
    private let height: Int
    private let light: ConeLight
    private let samples: Plane
    private let takers: [Taker]
    private let smaller: LightPyramid?
    private var y = 0

    /// - Parameters:
    ///   - size: the size of the picture.
    ///   - scales: the receivers of the rows at the full size, at half of it, and so on.
    init(size: PixelSize, scales: ArraySlice<[Taker]>) {
        height = size.height
        light = ConeLight(width: size.width, height: 2)
        samples = Plane(width: size.width, height: 1)
        takers = scales.first ?? []
        let rest = scales.dropFirst()
        smaller = rest.isEmpty ? nil : LightPyramid(size: size.halved, scales: rest)
    }

    /// Passes on all rows of `picture`, straight alpha, as seen on white and on black.
    ///
    /// - Parameters:
    ///   - picture: a picture of the pyramids' size.
    ///   - onWhite: receives the picture on white.
    ///   - onBlack: receives the picture on black; `nil` if not needed.
    static func pass(
        _ picture: borrowing PixelBuffer, onWhite: LightPyramid, onBlack: LightPyramid?
    ) {
        let (height, stride) = (picture.size.height, picture.stride)
        picture.withUnsafeBytes { bytes in
            for y in 0..<height {
                let row = UnsafeRawBufferPointer(rebasing: bytes[(y * stride)...].prefix(stride))
                let black = onBlack ?? onWhite
                ConeLight.mix(row, onWhite: onWhite.light, onBlack: black.light, row: y % 2)
                onWhite.passRow()
                onBlack?.passRow()
            }
        }
    }

    /// Passes on the row that was just set.
    private func passRow() {
        for taker in takers {
            taker.channel.write(light, row: y % 2, into: samples)
            taker.append(samples[0])
        }
        if let smaller, y % 2 == 1 || y == height - 1 {
            smaller.light.halve(0, y % 2, of: light, row: smaller.y % 2)
            smaller.passRow()
        }
        y += 1
    }
}

extension PixelSize {
    /// This size, half of it, a quarter and so on; only the first may have a side under 8 pixels.
    var scales: some Sequence<PixelSize> {
        sequence(first: self) { size in
            min(size.halved.width, size.halved.height) < 8 ? nil : size.halved
        }
    }

    fileprivate var halved: PixelSize {
        PixelSize(width: (width + 1) / 2, height: (height + 1) / 2)
    }
}
