import Foundation
import StickerContainers
import StickerTestSupport
import StickerValues
import Testing

/// Files of other programs, judged by our rules.
@Suite(.enabled(if: SamplePacks.folder != nil, "no sample packs beside STICKERD_CORPUS"))
struct WebPAuditSampleTests {
    @Test func stillSamplesPass() throws {
        let files = try SamplePacks.files(in: "1")

        #expect(files.count == 25)
        for file in files { #expect(WebPAudit.faults(in: file, canvas: .sticker) == []) }
    }

    /// The samples carry EXIF and mix lossy with lossless frames, which we do not.
    @Test func movingSamplesHaveNoOtherFaultsThanTheKnown() throws {
        let files = try SamplePacks.files(in: "2")
        let known = [
            #"a "EXIF" chunk stands where only frames belong"#, "the VP8X flags are 26, not 18",
        ]

        #expect(files.count == 21)
        for file in files {
            let frames = RIFF.chunks(of: file)?.filter { $0.tag == "ANMF" }.count
            let faults = WebPAudit.faults(in: file, canvas: .sticker, frames: frames)
            #expect(
                faults == known || faults == known + ["lossy and lossless frames are mixed"])
        }
    }
}

/// The sample packs of WhatsApp, where they lie beside the corpus.
private enum SamplePacks {
    static let folder: String? = Corpus.path.flatMap { root in
        let path = "\(root)/../reference/whatsapp/android"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    static func files(in pack: String) throws -> [[UInt8]] {
        let folder = try #require(folder) + "/" + pack
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".webp") }
            .map { Array(try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))) }
    }
}
