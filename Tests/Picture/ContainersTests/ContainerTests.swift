import StickerCodecs
import StickerContainers
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

struct ContainerTests {
    static let gif: [UInt8] =
        Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        + [0x21, 0xFE, 2, 1, 2, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

    /// One whole file of every format.
    private static func wholeFiles() throws -> [[UInt8]] {
        [
            try PNGEncoder.encode(.gradient(20, 20)), JPEGSkeleton().bytes,
            JPEGSkeleton(marker: 0xC2, scans: 3).bytes, gif,
        ]
    }

    @Test func wholeFilesAreWhole() throws {
        for file in try Self.wholeFiles() {
            #expect(Container.completeness(of: SourceBytes(file)) == .whole)
        }
    }

    @Test func noPrefixIsWhole() throws {
        for file in try Self.wholeFiles() {
            for length in 0..<file.count {
                #expect(Container.completeness(of: SourceBytes(Array(file[..<length]))) != .whole)
            }
        }
    }

    @Test func whatIsBehindTheEndFollowsIt() throws {
        for file in try Self.wholeFiles() {
            for tail in [[0], [0x3B], Array("<html>".utf8), file] {
                #expect(Container.completeness(of: SourceBytes(file + tail)) == .followed)
            }
        }
    }

    @Test func lengthsAreNotBelieved() {
        let lie = TestPNG.file([[0xFF, 0xFF, 0xFF, 0xFF] + Array("IHDR".utf8)])

        #expect(Container.completeness(of: SourceBytes(lie)) == .unfinished)
    }

    @Test func otherFilesAreUnrecognised() {
        #expect(Container.completeness(of: SourceBytes(Array("RIFF".utf8))) == .unrecognised)
        #expect(Container.completeness(of: SourceBytes([])) == .unrecognised)
    }
}
