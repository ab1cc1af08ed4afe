import StickerContainers
import StickerTestSupport
import Testing

struct ICCOutlineTests {
    private func fault(_ profile: [UInt8]) -> String? {
        profile.withUnsafeBytes { ICCOutline.fault(in: $0) }
    }

    private func fault(_ tag: String, _ data: [UInt8]) -> String? {
        fault(TestICC(tags: [(tag, data)]).bytes)
    }

    private let curve = TestICC.curve(entries: 3)

    // MARK: The table of tags

    @Test func ordinaryProfilePasses() {
        let tags = ["rTRC", "gTRC", "bTRC", "wtpt"].map { ($0, curve) }

        #expect(fault(TestICC(tags: tags).bytes) == nil)
    }

    @Test func tagsMayShareTheirData() {
        var profile = TestICC(tags: [("rTRC", curve)])
        profile.aliases = Array(repeating: "gTRC", count: 99)

        #expect(fault(profile.bytes) == nil)
        profile.aliases.append("gTRC")
        #expect(fault(profile.bytes) == "it has 101 tags, more than 100")
    }

    @Test func largeProfilesAreSetAside() {
        let whole = TestICC(tags: [("rTRC", curve)]).bytes
        let room = [UInt8](repeating: 0, count: 4_000_000 - whole.count)

        #expect(fault(whole + room) == nil)
        #expect(fault(whole + room + [0]) == "it has 4000001 bytes, more than 4000000")
    }

    @Test(arguments: [(131, 20), (1 << 31, 20), (160, 4_294_967_295), (160, 7), (4_294_967_295, 8)])
    func tagsOutsideTheProfileAreFound(start: Int, count: Int) {
        var profile = TestICC(tags: [("rTRC", curve)]).bytes
        profile.replaceSubrange(136..<144, with: TestICC.long(start) + TestICC.long(count))

        #expect(fault(profile) == "a tag lies outside it")
    }

    @Test func tableOfTagsThatIsCutOffIsFound() {
        let profile = TestICC(tags: []).bytes.dropLast(4) + TestICC.long(3)

        #expect(fault(Array(profile)) == "its table of tags is cut off")
    }

    @Test(arguments: ["link", "abst", "nmcl", "zzzz"])
    func onlyProfilesOfDevicesAndSpacesPass(kind: String) {
        var profile = TestICC(tags: [("rTRC", curve)])
        profile.kind = kind

        #expect(fault(profile.bytes) == "it describes no device and no colour space")
    }

    // MARK: Elements

    @Test(arguments: ["D2B0", "D2B1", "D2B3", "B2D0", "B2D2"])
    func tagsOfProcessingElementsAreFound(tag: String) {
        #expect(fault(tag, curve) == "it has tags of processing elements")
    }

    @Test(arguments: ["A2B0", "gamt", "ABCD"]) func elementsAreFoundInAnyTag(tag: String) {
        let elements = Array("mpet".utf8) + [0, 0, 0, 0, 0, 3, 0, 3] + TestICC.long(990_000)

        #expect(fault(tag, elements) == "it has processing elements")
    }

    // MARK: Curves and tables

    @Test(arguments: [4, 32767, 32768, 4_294_967_295]) func curvesBeyondTheirTagAreFound(count: Int)
    {
        let data = Array("curv".utf8) + [0, 0, 0, 0] + TestICC.long(count) + [1, 2, 3, 4, 5, 6]

        #expect(fault("rTRC", data) == "a curve is larger than its tag")
    }

    @Test(arguments: [(3, 2, true), (4, 2, true), (3, 255, false), (4, 255, false)])
    func gridsLieInsideTheirTag(input: Int, grid: Int, fits: Bool) {
        let small = TestICC.table8(input, 3, grid: 2)
        var table = small
        table[10] = UInt8(grid)

        #expect(fault("A2B0", table) == (fits ? nil : "a table is larger than its tag"))
        #expect(fault("A2B0", Array(small.dropLast())) == "a table is larger than its tag")
    }

    @Test(arguments: [(0, 3), (3, 0), (5, 3), (15, 3), (3, 16)])
    func tablesHaveFewChannels(input: Int, output: Int) {
        var table = TestICC.table8(3, 3, grid: 2)
        (table[8], table[9]) = (UInt8(input), UInt8(output))

        #expect(fault("A2B0", table) == "a table has \(input) and \(output) channels")
    }

    @Test func wordTablesAreMeasured() {
        let table = TestICC.table16(3, 3, grid: 3, entries: 5)
        var long = table
        long.replaceSubrange(48..<50, with: [0x80, 0])

        #expect(fault("A2B0", table) == nil)
        #expect(fault("A2B0", Array(table.dropLast())) == "a table is larger than its tag")
        #expect(fault("A2B0", long) == "a curve of a table is too large")
    }

    @Test func chainsAreMeasured() {
        let chain = TestICC.chain(grid: 2, points: 2)
        let huge = TestICC.chain(grid: 2, points: 200)

        #expect(fault("A2B0", chain) == nil)
        #expect(fault("A2B0", huge) == "a table is larger than its tag")
        #expect(fault("A2B0", Array(chain.dropLast(8))) != nil)
    }

    @Test func damagedProfilesAreSetAsideOrPass() {
        let tags = [("A2B0", TestICC.chain(grid: 2, points: 2)), ("rTRC", curve)]
        forEachDamage(of: TestICC(tags: tags).bytes) { damaged in
            #expect(fault(damaged) == fault(damaged))
        }
        #expect(fault([]) == "it has no header")
    }
}
