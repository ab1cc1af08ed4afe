import Foundation
import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues

/// The programs of this build: they lie beside the tests.
enum Built {
    static func path(_ program: String) -> String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: program).path
    }
}

/// Small sources.
enum Art {
    static func still() throws -> SourceBytes {
        SourceBytes(try PNGEncoder.encode(.disc(PixelSize(width: 96, height: 64))))
    }

    /// Three frames of 100 ms.
    static func animation() throws -> SourceBytes {
        let size = PixelSize(width: 48, height: 48)
        let encoder = try GIFEncoder(size: size, matte: SIMD3(255, 255, 255))
        for shade in [UInt8(40), 120, 200] {
            try encoder.add(frame: .disc(size, red: shade), durationMilliseconds: 100)
        }
        return SourceBytes(try encoder.finish() ?? [])
    }
}
