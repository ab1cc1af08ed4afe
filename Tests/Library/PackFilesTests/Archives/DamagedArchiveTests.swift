import StickerSystem
import StickerTestSupport
import Testing

@testable import StickerPackFiles

/// Archives that were cut off or hit by a stray bit: they never crash the reader, which never hands over
/// more than its limits, nor anything that was not packed where a checksum can tell.
struct DamagedArchiveTests {
    private static let names = ["plain.zip", "plain.tar", "plain.tar.gz"]
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try OtherPrograms.run("write", folder.path)
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        try Descriptor(folder.path(name), 0).readToEnd(path: name)
    }

    @Test(arguments: names)
    func archiveThatEndsTooEarlyIsRefused(_ name: String) throws {
        let whole = try bytes(name)
        // A tape archive is complete with the first block of zeros behind its files.
        let end = name == "plain.tar" ? (whole.lastIndex { $0 != 0 } ?? 0) : whole.count
        let near = stride(from: max(0, end - 200), to: end, by: 1)
        let all = stride(from: 0, to: end, by: max(1, whole.count / 300))

        for length in Array(all) + Array(near) {
            let result = try files(in: Array(whole[..<length]))
            #expect(result.error != nil, "\(length) bytes")
        }
    }

    @Test(arguments: names)
    func flippedBitIsNoticedOrWithoutConsequence(_ name: String) throws {
        let whole = try bytes(name)
        let packed = Set(try files(in: whole).files)
        var random = SeededGenerator(seed: 7)

        for _ in 0..<2000 {
            var flipped = whole
            let bit = UInt8.random(in: 0..<8, using: &random)
            flipped[Int.random(in: 0..<whole.count, using: &random)] ^= 1 << bit
            let result = try files(in: flipped)
            let bytes = result.files.reduce(0) { $0 + $1.bytes.count }
            #expect(bytes <= ArchiveLimits.test.totalBytesMax)
            if result.error == nil, name != "plain.tar" {
                #expect(packed.isSuperset(of: result.files))
            }
        }
    }

    @Test(arguments: names)
    func manyFlippedBytesAreHarmless(_ name: String) throws {
        let whole = try bytes(name)
        var random = SeededGenerator(seed: 8)

        for _ in 0..<1000 {
            var flipped = whole
            for _ in 0..<Int.random(in: 2...40, using: &random) {
                let place = Int.random(in: 0..<whole.count, using: &random)
                flipped[place] = UInt8.random(in: 0...255, using: &random)
            }
            let result = try files(in: flipped)
            #expect(
                result.files.reduce(0) { $0 + $1.bytes.count } <= ArchiveLimits.test.totalBytesMax)
        }
    }
}
