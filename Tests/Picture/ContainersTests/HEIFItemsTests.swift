import StickerContainers
import Testing

/// Pictures that are put together of others.
struct HEIFItemsTests {
    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        number(content.count + 8, 4) + Array(type.utf8) + content
    }

    /// A file with the items 1, 2, ..., each of one of the sizes, and 1 as the main picture.
    private func file(
        sides: [Int], _ references: [(type: String, from: Int, to: [Int])]
    ) -> [UInt8] {
        let sizes = sides.flatMap { side -> [UInt8] in
            box("ispe", number(0, 4) + number(side, 4) + number(side, 4))
        }
        let associations = sides.indices.flatMap { index -> [UInt8] in
            number(index + 1, 2) + [1, UInt8(index + 1) | 0x80]
        }
        let entries = references.flatMap { reference -> [UInt8] in
            let ids = reference.to.flatMap { id -> [UInt8] in number(id, 2) }
            return box(
                reference.type, number(reference.from, 2) + number(reference.to.count, 2) + ids)
        }
        let properties =
            box("ipco", sizes) + box("ipma", number(0, 4) + number(sides.count, 4) + associations)
        return box(
            "meta",
            number(0, 4) + box("pitm", number(0, 4) + number(1, 2)) + box("iprp", properties)
                + box("iref", number(0, 4) + entries))
    }

    private func pixels(_ file: [UInt8]) -> Int? {
        file.withUnsafeBytes { HEIFItems($0).pixels }
    }

    @Test func gridHasItsTilesAsOftenAsItNamesThem() {
        #expect(pixels(file(sides: [1000], [])) == 1_000_000)
        #expect(
            pixels(file(sides: [1000, 512], [("dimg", 1, [2, 2, 2, 2])]))
                == 1_000_000 + 4 * 512 * 512)
    }

    @Test func alphaCountsAndThumbnailsDoNot() {
        let file = file(sides: [1000, 1000, 500], [("auxl", 2, [1]), ("thmb", 3, [1])])

        #expect(pixels(file) == 2_000_000)
    }

    /// Each of seven levels names the next one 60,000 times.
    @Test func derivationsMultiplyWithoutEnd() throws {
        let levels = (1...6).map { level in
            (type: "dimg", from: level, to: Array(repeating: level + 1, count: 60_000))
        }
        let found = try #require(pixels(file(sides: Array(repeating: 64, count: 7), levels)))

        #expect(found == 1 << 50)
    }

    @Test(arguments: [[1], [2]]) func circlesHaveNoEnd(target: [Int]) {
        let file = file(sides: [64, 64], [("dimg", 1, target), ("dimg", 2, [1])])

        #expect(pixels(file) == nil)
    }

    @Test func everyCutEnds() {
        let whole = file(sides: [64, 64], [("dimg", 1, [2, 2]), ("auxl", 2, [1])])
        for count in whole.indices { _ = pixels(Array(whole[..<count])) }
    }
}
