import Foundation
import StickerPipeline
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWorkers

/// Which program makes which pictures, and that the documents say so.
struct WorkerProgramTests {
    private static let formats = Dictionary(grouping: ImageFormat.allCases) {
        WorkerProgram.path("stickerd-worker", for: $0)
    }

    @Test func ordinaryWorkerReadsWhatItIsGiven() {
        let formats = Self.formats["stickerd-worker"]

        #expect(Set(formats ?? []) == PictureReaders.common.formats)
    }

    @Test(arguments: formats.sorted { $0.key < $1.key })
    func documentsNameEveryWorker(program: String, formats: [ImageFormat]) throws {
        func document(_ path: String) throws -> String {
            String(decoding: try Repository.data(path), as: UTF8.self)
        }
        let names = formats.map(\.name)
        let architecture = try document("ARCHITECTURE.md")

        let rows = architecture.matches(of: /\n\| `([a-z-]+)` \| ([A-Z][A-Za-z, ]*) \|/)
        let isListed = rows.contains { row in
            row.1 == program && Set(row.2.components(separatedBy: ", ")) == Set(names)
        }
        #expect(isListed, "ARCHITECTURE.md: \(program) with \(names)")
        let security = try document("SECURITY.md")
        if program == "stickerd-worker" {
            #expect(security.contains("`\(program)`"))
        } else {
            #expect(security.contains("`\(program)` (\(names.joined(separator: ", ")))"))
        }
        for path in ["deploy/link.py", "deploy/man/stickerd.8"] {
            #expect(try document(path).contains(program), "\(path)")
        }
    }
}
