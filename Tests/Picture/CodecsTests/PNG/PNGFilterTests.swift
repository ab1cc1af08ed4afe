import StickerTestSupport
import Testing

@testable import StickerCodecs

struct PNGFilterTests {
    /// As the specification says it (section 9.2).
    private func foretold(_ filter: PNGFilter, _ left: Int, _ up: Int, _ upLeft: Int) -> Int {
        switch filter {
        case .none: return 0
        case .sub: return left
        case .up: return up
        case .average: return (left + up) / 2
        case .paeth:
            let guess = left + up - upLeft
            let nearest = min(abs(guess - left), abs(guess - up), abs(guess - upLeft))
            return abs(guess - left) == nearest ? left : abs(guess - up) == nearest ? up : upLeft
        }
    }

    @Test(arguments: PNGFilter.allCases) func differencesAreThoseOfTheSpecification(
        filter: PNGFilter
    ) {
        var random = SeededGenerator(seed: 7)
        let (pixelBytes, count) = (3, 65_536)
        let current = (0..<(count + pixelBytes)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        let above = current.map { UInt8.random(in: 0...255, using: &random) &+ $0 / 2 }
        var differences = [UInt8](repeating: 0, count: count)

        let sum = filter.apply(current, above, pixelBytes, &differences)

        let expected = (0..<count).map { index in
            current[index + pixelBytes]
                &- UInt8(
                    foretold(
                        filter, Int(current[index]), Int(above[index + pixelBytes]),
                        Int(above[index])))
        }
        #expect(differences == expected)
        #expect(sum == expected.reduce(0) { $0 + UInt32(Int8(bitPattern: $1).magnitude) })
    }

    @Test func eachRowGetsTheFilterThatSuitsIt() {
        let ramp = (0..<40).map { UInt8($0 * 6) }
        let noise: [UInt8] = (0..<40).map { $0.isMultiple(of: 2) ? 1 : 254 }
        let rows = ramp + ramp + noise

        let filtered = PNGFilter.filtered(rows, stride: 40, pixelBytes: 1, isAdaptive: true)

        let numbers = [filtered[0], filtered[41], filtered[82]]
        #expect(numbers == [PNGFilter.sub, .up, .none].map(\.rawValue))
        #expect(Array(filtered[42..<82]) == [UInt8](repeating: 0, count: 40))
        #expect(Array(filtered[83...]) == noise)
    }

    @Test func withoutFiltersRowsAreKept() {
        let filtered = PNGFilter.filtered(
            [1, 2, 3, 4, 5, 6], stride: 3, pixelBytes: 3, isAdaptive: false)

        #expect(filtered == [0, 1, 2, 3, 0, 4, 5, 6])
    }
}
