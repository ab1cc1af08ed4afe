import StickerModel
import StickerStore

/// Three sentences about a sticker, taken from the log of the job that made it; printed by
/// `explain --json`, too.
struct Explanation: Encodable {
    private var story: StickerStory
    /// What was chosen.
    private var chosen: String
    /// What was tried.
    private var tried: String
    /// What would help.
    private var help: String

    init(_ story: StickerStory) {
        self.story = story
        chosen = Self.chosen(story)
        tried = Self.tried(story)
        help = Self.help(story)
    }

    var lines: [String] {
        var lines = "\(story.sticker) (\(FileName.escaped(story.file)))".wrapped(indent: 2)
        lines += entry("chosen", chosen) + entry("tried", tried) + entry("better", help)
        if !story.twins.isEmpty {
            lines += entry(
                "shared",
                "the same picture as \(story.twins.map(\.rawValue).joined(separator: ", "))")
        }
        if let job = story.refused ?? story.made {
            lines += entry("log", "stickerctl show \(job.job.id)")
        }
        return lines
    }

    // MARK: Sentences

    private static func chosen(_ story: StickerStory) -> String {
        guard let product = story.product, let file = product.files.first else {
            return "nothing is published\(story.isGone ? ": its file is gone" : "")."
        }
        let kind =
            product.animated
            ? "an animation of \((file.frames ?? 0).counted("frame", "frames")) and" : "a still of"
        let old = story.refused == nil ? "" : ", an older version because the new one was refused"
        return "\(kind) \(file.bytes.grouped) B, \(product.encoding.shown)\(old)."
    }

    private static func tried(_ story: StickerStory) -> String {
        let job = story.product == nil ? story.refused : story.made
        guard let job else {
            if story.open != nil { return "nothing yet." }
            return story.isGone ? "nothing: its file is gone." : "no job is on record any more."
        }
        guard let fit = job.log.fit else {
            let last = job.log.entries.last.map { " after the step \($0.step)" } ?? ""
            return "no encoding is on record\(last)."
        }
        let count = fit.attempts.count.counted("encoding", "encodings")
        let list = fit.attempts.map(\.description).joined(separator: ", ")
        let score = fit.scoreTarget.map { ", score at least \($0.asFigure)" } ?? ""
        return FileName.escaped(
            "\(count) under the limit \(fit.bytesMax.grouped) B\(score): \(list).")
    }

    private static func help(_ story: StickerStory) -> String {
        if let job = story.open {
            let what = story.product == nil && story.refused == nil ? "it" : "a newer version"
            let why = job.reason.map { " (\(FileName.escaped($0)))" } ?? ""
            return "\(what) is on its way\(why), see: stickerctl show \(job.id)."
        }
        if let refused = story.refused?.job, let refusal = refused.refusal {
            let verb = refused.mayEndOtherwise ? "then: stickerctl retry" : "or stickerctl dismiss"
            return FileName.escaped("\(refusal.detail); \(refusal.remedy)")
                + "; \(verb) \(refused.id)."
        }
        if story.isGone { return gone(story) }
        guard let product = story.product else { return "drop the file again." }
        if story.made?.log.fit?.scoreTarget != nil {
            return "a higher sticker.scoreTarget, or best for sticker.goal."
        }
        return help(product.encoding, isAnimated: product.animated)
    }

    private static func gone(_ story: StickerStory) -> String {
        let what =
            story.product == nil
            ? "" : "its file is gone and it leaves after publish.deleteGraceSeconds; to keep it, "
        return what + "put the file back."
    }

    private static func help(_ encoding: Encoding, isAnimated: Bool) -> String {
        let key = isAnimated ? "sticker.animatedBytesMax" : "sticker.stillBytesMax"
        switch encoding.mode {
        case .lossless:
            return "nothing: no visible pixel was changed by the encoding."
        case .nearLossless:
            return
                "hardly anything: transparency and smooth areas are exact, other colours are off by a "
                + "hair; a higher \(key) may allow no loss."
        case .palette:
            return "a picture of fewer colours, or a higher \(key)."
        case .lossy:
            let better = encoding.quality == 100 ? ", which may even allow no loss" : ""
            return "a simpler picture (less noise and grain), or a higher \(key)\(better)."
        }
    }
}

extension Encoding {
    /// `lossy at quality 82.5, score 98.1`
    fileprivate var shown: String {
        var text = mode == .lossless ? "without loss" : mode.rawValue
        if let quality { text += " at quality \(quality.asFigure)" }
        if let score { text += ", score \(score.asFigure)" }
        return text
    }
}

extension StepLog {
    /// The newest search for the sticker's own file.
    fileprivate var fit: FitRecord? { entries.last { $0.step == "fit" && $0.fit != nil }?.fit }
}
