import StickerStore
import StickerValues
import Synchronization

/// Makes stickers without a picture: a file that quotes its source. The test may put anything else in
/// its place.
final class FakeMaker: StickerMaking {
    /// Its result for a source.
    typealias Make = @Sendable (_ source: String, _ recipe: Recipe) -> MakeReport

    private let body = Mutex<Make>({ .quoting($0, $1) })
    private let seen = Mutex<[(source: String, recipe: Recipe)]>([])

    /// Everything that it was asked to make, in order.
    var sources: [String] { seen.withLock { $0.map(\.source) } }
    /// Its orders.
    var recipes: [Recipe] { seen.withLock { $0.map(\.recipe) } }

    /// Makes something else from now on.
    func make(_ body: @escaping Make) { self.body.withLock { $0 = body } }

    /// Makes nothing from now on.
    func fail(_ failure: MakeFailure) { make { _, _ in MakeReport(failure: failure) } }

    /// Makes a shortfall for one target from now on.
    func makeNothing(for target: String, _ reason: Refusal.Reason = .willNotFit) {
        make { source, recipe in
            var report = MakeReport.quoting(source, recipe)
            guard case .success(var made) = report.result else { return report }
            made.files.removeAll { $0.target == target }
            let refusal = Refusal(reason, "it is too large", remedy: "none")
            made.shortfalls = [Shortfall(target: target, refusal)]
            report.result = .success(made)
            return report
        }
    }

    /// Makes animations from now on.
    func moves() {
        make { source, recipe in
            var report = MakeReport.quoting(source, recipe)
            guard case .success(var made) = report.result else { return report }
            made.animated = recipe.makesSticker
            report.result = .success(made)
            return report
        }
    }

    /// Makes everything from now on.
    func makeEverything() { make { .quoting($0, $1) } }

    func make(
        _ source: SourceBytes, recipe: Recipe, limits: DecodeLimits, lane: WorkLane
    ) -> MakeReport {
        let text = source.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        seen.withLock { $0.append((text, recipe)) }
        let body = body.withLock { $0 }
        return body(text, recipe)
    }
}

extension MakeReport {
    /// A sticker with a file for each target, which is another one for every source and rules.
    static func quoting(
        _ source: String, _ recipe: Recipe, format: ImageFormat? = nil, warnings: [Warning] = []
    ) -> MakeReport {
        let files = recipe.targetsToMake.map { target in
            let isFirst = target == recipe.targets[0]
            return MadeFile(
                role: isFirst ? .sticker : .rendition, target: target.name, format: .webp,
                size: .sticker, bytes: Array("\(target.rules) of \(source)".utf8),
                encoding: Encoding(mode: .lossless))
        }
        var log = StepLog()
        log.append(StepEntry("fake", milliseconds: 1, "quoted"))
        let made = MadeSticker(animated: false, files: files)
        return MakeReport(result: .success(made), format: format, log: log, warnings: warnings)
    }
}
