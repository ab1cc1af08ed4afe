import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct ResidualRounderTests {
    private static let steps = [1, 2, 4, 8, 16].flatMap { green in
        [1, 2, 4, 8, 16].map { ResidualSteps(green: green, others: $0) }
    }

    @Test(arguments: steps, [16, 64])
    func nothingMovesByAWholeStep(steps: ResidualSteps, tile: Int) {
        let noise = PixelBuffer.noise(PixelSize(width: 97, height: 61), opaque: false)

        let rounded = ResidualRounder(noise).rounded(by: steps, tile: tile)

        var most = SIMD4<Int>.zero
        for y in 0..<61 {
            for x in 0..<97 where noise[x, y].w > 0 {
                let (before, after) = (
                    SIMD4<Int>(truncatingIfNeeded: noise[x, y]),
                    SIMD4<Int>(truncatingIfNeeded: rounded[x, y])
                )
                let change = before &- after
                most = SIMD4((0..<4).map { max(most[$0], abs(change[$0])) })
            }
        }
        #expect(most.y < steps.green && most.w < steps.green, "\(most)")
        #expect(most.x < steps.others && most.z < steps.others, "\(most)")
        // Noise has residuals of all values.
        #expect(steps.green == 1 || most.y >= steps.green / 2, "\(most)")
        #expect(steps.others == 1 || most.x >= steps.others / 2, "\(most)")
    }

    @Test func clearAndOpaqueAndSoftPixelsStaySo() {
        let noise = PixelBuffer.noise(PixelSize(width: 128, height: 64), opaque: false)

        let rounded = ResidualRounder(noise)
            .rounded(by: ResidualSteps(green: 16, others: 16), tile: 32)

        for y in 0..<64 {
            for x in 0..<128 {
                let (before, after) = (noise[x, y].w, rounded[x, y].w)
                #expect((before == 0) == (after == 0) && (before == 255) == (after == 255))
            }
        }
    }

    @Test func smoothPlacesStayAsTheyAre() {
        // No two neighbours differ by more than 2, and nothing can be predicted.
        let noise = PixelBuffer.noise(.sticker)
        let smooth = PixelBuffer.drawn(.sticker) { x, y in
            SIMD4(100 + noise[x, y].x % 3, 200 + noise[x, y].y % 3, 10, y < 256 ? 255 : 0)
        }

        let rounded = ResidualRounder(smooth)
            .rounded(by: ResidualSteps(green: 16, others: 16), tile: 16)

        for y in 0..<255 {
            for x in 0..<512 { #expect(rounded[x, y] == smooth[x, y]) }
        }
    }

    @Test(arguments: [1, 2, 3, 5])
    func pictureWithoutAnInsideStaysAsItIs(side: Int) {
        for size in [PixelSize(width: side, height: 2), PixelSize(width: 2, height: side)] {
            let tiny = PixelBuffer.noise(size)

            let isSame = ResidualRounder(tiny)
                .rounded(by: ResidualSteps(green: 8, others: 8), tile: 16).showsSame(as: tiny)

            #expect(isSame)
        }
    }

    /// libwebp finds the same predictors: otherwise rounding saves nothing, or adds bytes.
    @Test(arguments: [1, 2, 3])
    func firstStepSavesATenth(level: Int) throws {
        let encoder = WebPEncoder(.photo(.sticker))

        let (exact, rounded) = (
            try encoder.lossless(level: level).count,
            try encoder.nearLossless(level: level, steps: ResidualSteps(green: 2, others: 2)).count
        )

        #expect(rounded * 10 < exact * 9, "\(rounded) of \(exact)")
    }

    /// From 801 pixels a side on, level 3 predicts as large squares alike as level 2.
    @Test func largePicturesSaveAsMuch() throws {
        func share(_ side: Int) throws -> Double {
            let encoder = WebPEncoder(.photo(PixelSize(width: side, height: side)))
            let steps = ResidualSteps(green: 4, others: 4)
            return try Double(encoder.nearLossless(level: 3, steps: steps).count)
                / Double(encoder.lossless(level: 3).count)
        }

        let (small, large) = (try share(800), try share(816))

        #expect(abs(small - large) < 0.03, "\(small), \(large)")
    }

    /// Noise loses one of 8, 7 and 6 bits.
    @Test func everyCoarserStepSavesABit() throws {
        let encoder = WebPEncoder(.noise(.sticker))

        let sizes = try [1, 2, 4, 8].map { step in
            try encoder.nearLossless(level: 1, steps: ResidualSteps(green: step, others: step))
                .count
        }

        #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $1 * 20 < $0 * 19 }, "\(sizes)")
    }
}
