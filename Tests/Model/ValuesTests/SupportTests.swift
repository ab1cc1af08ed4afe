import Dispatch
import Foundation
import StickerTestSupport
import Testing

/// The things that other tests trust.
struct SupportTests {
    @Test func temporaryFolderLeavesNothingBehind() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = try #require(folder?.path)
        try folder?.write([1, 2, 3], to: "a/b/c.bin")
        try folder?.write([4], toName: [0xFF, 0xFE, 0x0A])
        #expect(FileManager.default.contents(atPath: "\(path)/a/b/c.bin") == Data([1, 2, 3]))

        folder = nil

        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func waitingEndsWithTheChange() async {
        let counter = WaitableValue(0)
        for _ in 0..<10 { DispatchQueue.global().async { counter.update { $0 += 1 } } }

        let reached = await counter.wait { $0 == 10 }

        #expect(reached == 10)
        #expect(await counter.wait { $0 == 10 } == 10)
    }

    @Test func waitingEndsWithTheTime() async {
        let counter = WaitableValue(0)

        #expect(await counter.wait(upTo: .milliseconds(10)) { $0 == 1 } == nil)
        #expect(await waitUntil(upTo: .milliseconds(10)) { false } == false)
    }

    @Test func randomNumbersAreThoseOfTheReference() {
        var generator = SeededGenerator(seed: 1_234_567)

        let numbers = (0..<3).map { _ in generator.next() }

        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }
}
