import StickerValues

/// One channel of the canvas at one scale, for comparison with every candidate.
struct ChannelReference: Sendable {
    let channel: OpponentChannel
    let size: PixelSize
    let samples: Plane
    /// The mean around each sample.
    let means: Plane
    /// The variance around each sample.
    let variances: Plane

    fileprivate init(_ channel: OpponentChannel, size: PixelSize) {
        self.channel = channel
        self.size = size
        samples = Plane(width: size.width, height: size.height)
        means = Plane(width: size.width, height: size.height)
        variances = Plane(width: size.width, height: size.height)
    }
}

/// Builds the reference of one channel at one scale.
final class ChannelReferenceBuilder: ChannelRows {
    /// Complete once the last row has been taken.
    let reference: ChannelReference
    var channel: OpponentChannel { reference.channel }
    private let blur: RollingBlur
    private let blurOfSquares: RollingBlur
    private let squares: Plane
    private var y = 0

    init(_ channel: OpponentChannel, size: PixelSize) {
        reference = ChannelReference(channel, size: size)
        blur = RollingBlur(size: size)
        blurOfSquares = RollingBlur(size: size)
        squares = Plane(width: size.width, height: 1)
    }

    func append(_ row: Row) {
        let (samples, squared) = (reference.samples[y], squares[0])
        for x in squares.vectorsWithMargins {
            samples[lanes: x] = row[lanes: x]
            squared[lanes: x] = row[lanes: x] * row[lanes: x]
        }
        let columns = 0..<squares.paddedWidth
        blur.append(row, y: y, columns: columns)
        blurOfSquares.append(squared, y: y, columns: columns)
        y += 1
        for ready in RollingBlur.rowsReady(after: y, of: reference.size.height) {
            let (means, variances) = (reference.means[ready], reference.variances[ready])
            blur.blur(row: ready, columns: columns, into: means)
            blurOfSquares.blur(row: ready, columns: columns, into: variances)
            for x in squares.vectors {
                let mean = means[lanes: x]
                variances[lanes: x] = atLeast0(variances[lanes: x] - mean * mean)
            }
        }
    }
}
