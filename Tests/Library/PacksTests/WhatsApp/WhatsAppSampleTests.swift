import Foundation
import StickerPacks
import StickerTestSupport
import Testing

/// WhatsApp's own examples.
@Suite(.enabled(if: Samples.folder != nil, "no sample packs beside STICKERD_CORPUS"))
struct WhatsAppSampleTests {
    @Test func androidSamplePasses() throws {
        let manifest = try #require(Samples.file("android/contents.json"))

        let findings = WhatsAppValidator(for: .android)
            .findings(in: manifest) { Samples.file("android/\($0)") }

        #expect(findings == [])
    }

    /// The animated files of both samples are the same.
    @Test func iosSamplePasses() throws {
        let manifest = try #require(Samples.file("ios/sticker_packs.wasticker"))

        let findings = WhatsAppValidator(for: .ios)
            .findings(in: manifest) { Samples.file("ios/\($0)") ?? Samples.file("android/2/\($0)") }

        #expect(findings == [])
    }
}

/// The sample packs of WhatsApp, where they lie beside the corpus.
private enum Samples {
    static let folder: String? = Corpus.path.flatMap { root in
        let path = "\(root)/../reference/whatsapp"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    static func file(_ path: String) -> [UInt8]? {
        folder.flatMap { FileManager.default.contents(atPath: "\($0)/\(path)") }.map { Array($0) }
    }
}
