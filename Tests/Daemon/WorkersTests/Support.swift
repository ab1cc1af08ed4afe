import Foundation
import Glibc
import StickerCodecs
import StickerConfiguration
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWorkers

/// The programs of this build: they lie beside the tests.
enum Built {
    static func path(_ program: String) -> String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: program).path
    }
}

extension WorkerMaking {
    /// A maker whose workers are copies of a process of `program`.
    static func copying(_ program: String) -> WorkerMaking {
        let maker = WorkerMaking(program: program, forks: true) { .init() }
        #expect(maker.awaitServer(of: program) != nil)
        return maker
    }

    /// Waits for another server of `program` than `last`.
    func awaitServer(of program: String, after last: pid_t? = nil) -> pid_t? {
        let server = servers?.server(of: program)
        let end = ContinuousClock.now + .seconds(120)
        while .now < end {
            if let process = server?.process, process != last { return process }
            usleep(10_000)
        }
        return nil
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
