import StickerModel
import StickerStore
import Synchronization

/// Makes stickers without a picture: a file that quotes its source. The test may put anything else in
/// its place.
final class FakeMaker: StickerMaking {
    /// What it makes of a source.
    typealias Make = @Sendable (_ source: String, _ recipe: Recipe) -> MakeReport

    private let body = Mutex<Make>({ .quoting($0, $1) })
    private let seen = Mutex<[String]>([])

    /// Everything that it was asked to make, in order.
    var sources: [String] { seen.withLock { $0 } }

    /// Makes something else from now on.
    func make(_ body: @escaping Make) { self.body.withLock { $0 = body } }

    /// Makes nothing from now on.
    func fail(_ failure: MakeFailure) { make { _, _ in MakeReport(failure: failure) } }

    func make(
        _ source: SourceBytes, recipe: Recipe, limits: DecodeLimits, lane: WorkLane
    ) -> MakeReport {
        let text = source.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        seen.withLock { $0.append(text) }
        let body = body.withLock { $0 }
        return body(text, recipe)
    }
}

extension MakeReport {
    /// A sticker of one file, which is another one for every source and recipe.
    static func quoting(
        _ source: String, _ recipe: Recipe, format: ImageFormat? = nil, warnings: [Warning] = []
    ) -> MakeReport {
        let file = MadeFile(
            role: .sticker, format: .webp, size: .sticker,
            bytes: Array("a sticker of \(source) by \(recipe.fingerprint)".utf8))
        var log = StepLog()
        log.append(StepEntry("fake", milliseconds: 1, "quoted"))
        let made = MadeSticker(animated: false, encoding: Encoding(mode: .lossless), files: [file])
        return MakeReport(result: .success(made), format: format, log: log, warnings: warnings)
    }
}
