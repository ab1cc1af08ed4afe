import StickerStore
import StickerTestSupport
import StickerValues
import Testing

struct SortKeyTests {
    @Test(arguments: [
        ["1 z.png", "2 b.png", "03 a.png", "10 c.png", "a.png"],
        ["cat 1.png", "cat 2.png", "cat 10.png", "cat 100.png"],
        ["cat.png", "cat 0.png", "cat a.png", "catalogue.png"],
        ["01.png", "02 cat.png", "03.png", "dog.png"],
        ["a1b2.png", "a1b10.png", "a2b1.png", "a10.png"],
        ["Ant.png", "bee.png", "Cow.png"],
        ["apfel.png", "\u{C4}pfel.png", "A\u{308}pfel 2.png", "zebra.png"],
        ["page 18446744073709551616.png", "page 18446744073709551617.png"],
        ["2 cat.png", "2024-01-01 party.png", "2024-01-02 party.png", "party.png"],
    ])
    func keysSortNaturally(names: [String]) {
        var generator = SeededGenerator(seed: 7)

        let sorted = names.shuffled(using: &generator).sorted { key($0).precedes(key($1)) }

        #expect(sorted == names)
    }

    @Test func equalTitlesAreToldApartByTheirBytes() {
        let names = ["cat.gif", "cat.png", "CAT.png", "cat 😀.png", "01.png", "1.png", "001.png"]

        let keys = Set(names.map(key))

        #expect(keys.count == names.count)
    }

    @Test func longestRunOfDigitsIsOrdered() {
        let shorter = String(repeating: "9", count: 250)
        let longer = String(repeating: "9", count: 251)

        #expect(key("\(shorter).png").precedes(key("\(longer).png")))
    }

    @Test func anyBytesHaveAKey() {
        #expect(key([0xFF, 0xFE]).precedes(key([0xFF, 0xFF])))
    }

    private func key(_ name: String) -> [UInt8] { SortKey.make(fileName: Array(name.utf8)) }

    private func key(_ name: [UInt8]) -> [UInt8] { SortKey.make(fileName: name) }
}

extension [UInt8] {
    fileprivate func precedes(_ other: [UInt8]) -> Bool { lexicographicallyPrecedes(other) }
}
