import StickerValues

/// Changes colours a little, so that lossless WebP codes them in fewer bytes.
///
/// Lossless WebP predicts each pixel from its neighbours and codes the residual (RFC 9649, section 4.1). Here residuals
/// become multiples of a step, so that few different ones remain. As in libwebp's `near_lossless`, the step is halved
/// until it is smaller than the largest difference to a neighbour: smooth areas stay exact, and no channel changes by
/// more than half of the step, or by a whole one beside 0 and 255. Clear and opaque pixels stay so.
///
/// libwebp rounds with every predictor in turn to find the best, which takes longer than the coding; here
/// the predictor of a tile is chosen once, by the picture itself. The files are larger than libwebp's by
/// 0.5 to 1 % with a step of 2, 2 % with 4, 4 % with 8.
public struct ResidualRounder: Sendable {
    private typealias Pixels = ResidualPredictor.Pixels

    /// Pixels that differ less from their neighbours stay exact, as in libwebp.
    private static let smooth = 2
    /// Bytes beyond the last pixel that may be read.
    private static let padding = MemoryLayout<Pixels>.size

    private let size: PixelSize
    /// The largest difference to a neighbour, by pixel.
    private let contrast: [UInt8]
    /// RGBA; clear pixels are 0.
    private let pixels: [UInt8]
    /// The same, with green subtracted from red and blue if lossless WebP does so with this picture.
    private let coded: [UInt8]
    private let subtractsGreen: Bool

    private var stride: Int { size.width * 4 }

    /// Takes straight RGBA.
    public init(_ canvas: borrowing PixelBuffer) {
        size = canvas.size
        let count = size.pixelCount
        let pixels = [UInt8](unsafeUninitializedCapacity: count * 4 + Self.padding) {
            bytes, filled in
            canvas.withUnsafeBytes { source in
                let (from, to) = (
                    source.bindMemory(to: UInt32.self), UnsafeMutableRawBufferPointer(bytes)
                )
                for place in 0..<count {
                    let pixel = from[place]
                    to.storeBytes(
                        of: pixel >> 24 == 0 ? 0 : pixel, toByteOffset: place * 4, as: UInt32.self)
                }
                for place in count * 4..<count * 4 + Self.padding { to[place] = 0 }
            }
            filled = count * 4 + Self.padding
        }
        self.pixels = pixels
        contrast = Self.contrast(pixels, size)
        subtractsGreen = SubtractedGreen(canvas).pays
        coded = subtractsGreen ? Self.withoutGreen(pixels) : pixels
    }

    /// Rounds the residuals.
    ///
    /// - Parameters:
    ///   - steps: How much is rounded.
    ///   - tile: The side of the squares of pixels that libwebp predicts alike, at most 64.
    /// - Returns: the picture, straight RGBA.
    public func rounded(by steps: ResidualSteps, tile: Int) -> PixelBuffer {
        precondition(1...64 ~= tile)
        var result = PixelBuffer(size: size)
        var coded = coded
        coded.withUnsafeMutableBytes { coded in
            guard let base = coded.baseAddress else { return }
            round(base, by: RoundingTables(steps), predictors(tile: tile), tile: tile)
            write(UnsafeRawBufferPointer(coded), to: &result)
        }
        return result
    }

    // MARK: The picture

    private static func contrast(_ pixels: [UInt8], _ size: PixelSize) -> [UInt8] {
        let (width, stride) = (size.width, size.width * 4)
        var contrast = [UInt8](repeating: 0, count: size.pixelCount + padding)
        pixels.withUnsafeBytes { bytes in
            for y in 1..<max(1, size.height - 1) {
                for x in Swift.stride(from: 1, to: width - 1, by: 4) {
                    let offset = (y * width + x) * 4
                    func pixels(_ distance: Int) -> Pixels {
                        bytes.loadUnaligned(fromByteOffset: offset + distance, as: Pixels.self)
                    }
                    let own = pixels(0)
                    var most = Pixels.zero
                    for distance in [-4, 4, -stride, stride] {
                        let difference = ResidualPredictor.distances(own, pixels(distance))
                        most.replace(with: difference, where: difference .> most)
                    }
                    for pixel in 0..<4 {
                        let channels = SIMD4<UInt8>(
                            most[4 * pixel], most[4 * pixel + 1], most[4 * pixel + 2],
                            most[4 * pixel + 3])
                        contrast[y * width + x + pixel] = channels.max()
                    }
                }
            }
        }
        return contrast
    }

    private static func withoutGreen(_ pixels: [UInt8]) -> [UInt8] {
        var coded = pixels
        coded.withUnsafeMutableBytes { bytes in
            for offset in Swift.stride(from: 0, to: bytes.count - 3, by: 4) {
                bytes[offset] &-= bytes[offset + 1]
                bytes[offset + 2] &-= bytes[offset + 1]
            }
        }
        return coded
    }

    private func write(_ coded: UnsafeRawBufferPointer, to result: inout PixelBuffer) {
        result.withUnsafeMutableBytes { bytes in
            for offset in Swift.stride(from: 0, to: bytes.count, by: 4) {
                let green = coded[offset + 1]
                let added = subtractsGreen ? green : 0
                bytes[offset] = coded[offset] &+ added
                bytes[offset + 1] = green
                bytes[offset + 2] = coded[offset + 2] &+ added
                bytes[offset + 3] = coded[offset + 3]
            }
        }
    }

    // MARK: Predictors

    /// The best predictor of each tile, row by row.
    private func predictors(tile: Int) -> [ResidualPredictor] {
        coded.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return [] }
            var best: [ResidualPredictor] = []
            for y in Swift.stride(from: 0, to: size.height, by: tile) {
                for x in Swift.stride(from: 0, to: size.width, by: tile) {
                    best.append(
                        predictor(
                            base, x..<min(size.width, x + tile), y..<min(size.height, y + tile)))
                }
            }
            return best
        }
    }

    private func predictor(
        _ bytes: UnsafeRawPointer, _ columns: Range<Int>, _ rows: Range<Int>
    ) -> ResidualPredictor {
        var costs = ResidualCosts()
        for y in Swift.stride(from: rows.lowerBound + 1, to: rows.upperBound, by: 2) {
            // A row begins with pixels that have no left neighbour.
            for x in Swift.stride(
                from: max(4, columns.lowerBound), to: columns.upperBound - 3, by: 4)
            {
                costs.add(bytes + (y * size.width + x) * 4, stride: stride)
            }
        }
        return costs.best
    }

    // MARK: Rounding

    private func round(
        _ coded: UnsafeMutableRawPointer, by tables: RoundingTables,
        _ predictors: [ResidualPredictor], tile: Int
    ) {
        let tiles = (size.width + tile - 1) / tile
        let (width, stride) = (size.width, stride)
        pixels.withUnsafeBytes { pixels in
            for y in 1..<max(1, size.height - 1) {
                for x in 1..<max(1, width - 1) {
                    let place = y * width + x
                    let own = pixels.load(fromByteOffset: place * 4, as: SIMD4<UInt8>.self)
                    guard own.w == 0 || contrast[place] > Self.smooth else { continue }
                    let target = coded + place * 4
                    let near = ResidualPredictor.Neighbors(ofOne: target, stride: stride)
                    let predictor = predictors[y / tile * tiles + x / tile]
                    let words = unsafeBitCast(predictor.predict(near), to: SIMD4<UInt32>.self)
                    let predicted = unsafeBitCast(words[0], to: SIMD4<UInt8>.self)
                    if own.w == 0 {
                        // Nobody sees these, so that they cost nothing.
                        let clear = SIMD4(predicted.x, predicted.y, predicted.z, 0)
                        target.storeBytes(of: clear, as: SIMD4<UInt8>.self)
                    } else {
                        let rounded = rounded(own, predicted, tables, contrast[place])
                        target.storeBytes(of: rounded, as: SIMD4<UInt8>.self)
                    }
                }
            }
        }
    }

    /// A pixel as it is coded, with rounded residuals.
    @inline(__always)
    private func rounded(
        _ own: SIMD4<UInt8>, _ predicted: SIMD4<UInt8>, _ tables: RoundingTables, _ contrast: UInt8
    ) -> SIMD4<UInt8> {
        let (ofGreen, ofOthers) = (tables.green, tables.others)
        let green = ofGreen.rounded(own.y, predicted.y, contrast)
        let subtracted = subtractsGreen ? green : 0
        return SIMD4(
            ofOthers.rounded(own.x, predicted.x &+ subtracted, contrast) &- subtracted, green,
            ofOthers.rounded(own.z, predicted.z &+ subtracted, contrast) &- subtracted,
            own.w == 255 ? 255 : ofGreen.rounded(own.w, predicted.w, contrast, in: 1...254))
    }
}

private struct RoundingTables {
    let green, others: RoundingTable

    init(_ steps: ResidualSteps) {
        green = RoundingTable(step: steps.green)
        others = RoundingTable(step: steps.others)
    }
}

/// The changes that rounding makes, for a step and its halves.
private struct RoundingTable {
    /// By contrast: the largest of the steps that is smaller, as an exponent of 2.
    private let shifts: [UInt8]
    /// The changes, 256 for each of the steps 1, 2, 4 ...
    private let changes: [Int8]

    init(step: Int) {
        let most = step.trailingZeroBitCount
        changes = (0...most).flatMap { shift in (0..<256).map { Self.change($0, shift) } }
        shifts = (0..<256).map { contrast in UInt8((0...most).last { 1 << $0 < contrast } ?? 0) }
    }

    private static func change(_ value: Int, _ shift: Int) -> Int8 {
        let (residual, step) = (Int(Int8(truncatingIfNeeded: value)), 1 << shift)
        // Halves go towards 0, where most residuals are.
        let size = (abs(residual) + (step - 1) / 2) / step * step
        let rounded = residual < 0 ? -size : size
        // A residual beyond a byte's ends would be another one.
        return -128...127 ~= rounded ? Int8(rounded - residual) : 0
    }

    /// A value whose residual is a multiple of the step.
    @inline(__always)
    func rounded(
        _ value: UInt8, _ predicted: UInt8, _ contrast: UInt8, in range: ClosedRange<Int> = 0...255
    ) -> UInt8 {
        let shift = Int(shifts[Int(contrast)])
        let rounded = Int(value) + Int(changes[shift * 256 + Int(value &- predicted)])
        if rounded < range.lowerBound { return UInt8(truncatingIfNeeded: rounded + (1 << shift)) }
        if rounded > range.upperBound { return UInt8(truncatingIfNeeded: rounded - (1 << shift)) }
        return UInt8(truncatingIfNeeded: rounded)
    }
}
