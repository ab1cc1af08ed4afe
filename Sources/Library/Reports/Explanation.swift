import StickerConfiguration
import StickerContainers
public import StickerStore
public import StickerValues

/// A few sentences about a sticker, from the log of the job that made it.
public struct Explanation: Encodable {
    /// The history of the sticker.
    public let story: StickerStory
    /// The chosen result.
    public let chosen: String
    /// The attempts.
    public let tried: String
    /// A possible remedy.
    public let help: String
    /// How it was scaled and why, without a full stop; `nil` if that is no longer on record.
    public let scaled: String?
    /// Oddities of the picture and changes to it, from the warnings of the job.
    public let warnings: [Warning]
    /// Possible faults from an older release.
    public let faults: [String]

    /// Explains `story`.
    public init(_ story: StickerStory) {
        self.story = story
        chosen = Self.chosen(story)
        tried = Self.tried(story)
        help = Self.help(story)
        scaled = story.product == nil ? nil : story.made?.log.scaling
        warnings = story.product == nil ? [] : story.made?.job.warnings ?? []
        faults = story.faults.map { MendedFault.named($0)?.sentence ?? $0 }
    }

    /// The result for a further target, or why there is none.
    public struct Rendition: Hashable, Sendable {
        /// The target.
        public let target: String
        /// Whether there is a file.
        public let isMade: Bool
        /// One sentence without a full stop; names of files in it are not escaped.
        public let text: String
    }

    /// The results for the further targets, those with a file first.
    public var renditions: [Rendition] {
        guard let product = story.product else { return [] }
        let files = product.files.filter { $0.role == .rendition }.map { file in
            let format = file.format == .png && file.frames != nil ? "apng" : file.format.rawValue
            let encoding = file.encoding.map { ", \($0.shown)" } ?? ""
            let fit = file.target.flatMap { story.made?.log.fit(for: $0) }
            let dropped = fit?.framesDropped.map { ", \($0) dropped to fit" } ?? ""
            return Rendition(
                target: file.target ?? "", isMade: true,
                text: "\(format) \(file.size), \(file.bytes.grouped) B\(encoding)\(dropped)")
        }
        return files
            + product.shortfalls.map {
                Rendition(
                    target: $0.target, isMade: false, text: $0.explained)
            }
    }

    /// One sentence about the requested name, if that is a former one.
    public var former: String? {
        if let file = story.formerFile {
            return "\(file) is now \(story.file), sticker \(story.sticker)."
        }
        return story.formerSticker.map { "\($0) was replaced by \(story.sticker)." }
    }

    // MARK: Sentences

    private static func chosen(_ story: StickerStory) -> String {
        if story.withdrawn != nil {
            return "nothing is published: it shows the weather, which is not known."
        }
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
            if let job = story.withdrawn { return "to fill the template in, by job \(job.id)." }
            if story.open != nil { return "nothing yet." }
            return story.isGone ? "nothing: its file is gone." : "no job is on record any more."
        }
        let file = story.product?.files.first
        guard let fit = job.log.fit(for: file?.target, of: file?.bytes) else {
            return story.product == nil
                ? "no encoding is on record."
                : "no encoding is on record: the files may be those of an earlier job."
        }
        guard !fit.attempts.isEmpty else { return "no encoding of the whole is on record." }
        let count = fit.attempts.count.counted("encoding", "encodings")
        let list = distinct(fit.attempts).map(\.description).joined(separator: ", ")
        let score = fit.scoreTarget.map { ", score at least \($0.asFigure)" } ?? ""
        return FileName.escaped(
            "\(count) for at most \(fit.bytesMax.grouped) B\(score): \(list).")
    }

    /// The search for the encoding of its sticker, each setting once; `nil` if it is not on record.
    public var search: FitRecord? {
        guard let file = story.product?.files.first,
            var fit = story.made?.log.fit(for: file.target, of: file.bytes), !fit.attempts.isEmpty
        else { return nil }
        fit = FitRecord(
            target: fit.target, bytesMax: fit.bytesMax, scoreTarget: fit.scoreTarget,
            attempts: Self.distinct(fit.attempts))
        return fit
    }

    /// A search may reach the same setting twice, and score it only then.
    private static func distinct(_ attempts: [FitRecord.Attempt]) -> [FitRecord.Attempt] {
        attempts.reduce(into: []) { list, attempt in
            let known = list.firstIndex { $0.isAlike(attempt) }
            guard let known else { return list.append(attempt) }
            list[known].score = list[known].score ?? attempt.score
            list[known].isChosen = list[known].isChosen || attempt.isChosen
        }
    }

    private static func help(_ story: StickerStory) -> String {
        if let job = story.open {
            let what = story.product == nil && story.refused == nil ? "it" : "a newer version"
            let why = job.reason.map { " (\(FileName.escaped($0)))" } ?? ""
            return "\(what) is on its way\(why), see: \(stickerctl: "show \(job.id)")."
        }
        if let details = story.refused, let refusal = details.job.refusal {
            let refused = details.job
            let next = refused.again.map { again in
                refused.isDrawnAgain ? "it is drawn again \(again)" : "then: \(again)"
            }
            return FileName.escaped("\(refusal.detail); \(refusal.remedy)")
                + "; \(next ?? "or \(stickerctl: "dismiss \(refused.id)")")"
                + (details.grantCommand.map { ", or \($0)." } ?? ".")
        }
        if story.isGone { return gone(story) }
        if story.withdrawn != nil {
            return "the line weather of \(stickerctl: "status") says what is missing."
        }
        guard let product = story.product else { return "drop the file again." }
        let target = product.files.first?.target ?? Target.whatsApp
        if story.made?.log.fit(for: target)?.scoreTarget != nil {
            let key = Target.key(.scoreTarget, of: target)
            return "a higher \(key), or best for \(key.replacing("scoreTarget", with: "goal"))."
        }
        let key = Target.key(.bytesMax, of: target, moves: product.animated)
        if let fit = story.made?.log.fit(for: target), let frames = fit.framesDropped {
            return "\(frames) dropped to fit; a simpler or shorter animation, or a higher \(key)."
        }
        return help(product.encoding, key)
    }

    private static func gone(_ story: StickerStory) -> String {
        if story.isRestored {
            return "it was restored from the trash and stays without a file; put the file back, or "
                + "\(stickerctl: "trash put \(story.sticker)")."
        }
        let what =
            story.product == nil
            ? "" : "its file is gone and it leaves after publish.deleteGraceSeconds; to keep it, "
        // A user's sticker cannot be restored.
        let isInTrash = story.product == nil && !OperatorCommand.isOfUploads
        return what + "put the file back"
            + (isInTrash ? ", or \(stickerctl: "trash restore \(story.sticker)")." : ".")
    }

    private static func help(_ encoding: Encoding, _ key: String) -> String {
        switch encoding.mode {
        case .lossless:
            return "nothing: no visible pixel was changed by the encoding."
        case .nearLossless where (encoding.score ?? 100) < 94:
            return "a picture of fewer colours or less grain, or a higher \(key)."
        case .nearLossless:
            return
                "hardly anything: smooth areas are exact, other colours and soft edges are off by a "
                + "hair; a higher \(key) may allow no loss."
        case .palette:
            return "a picture of fewer colours, or a higher \(key)."
        case .lossy:
            let better = encoding.quality == 100 ? ", which may even allow no loss" : ""
            return "a simpler picture (less noise and grain), or a higher \(key)\(better)."
        }
    }
}

extension FitRecord {
    /// How many frames the chosen file lacks to fit the limit: `3 frames were`; `nil` if it has all.
    fileprivate var framesDropped: String? {
        guard let kept = attempts.first(where: \.isChosen)?.frames,
            let all = attempts.compactMap(\.frames).max(), all > kept
        else { return nil }
        return (all - kept).counted("frame was", "frames were")
    }
}

extension FitRecord.Attempt {
    /// Whether two attempts differ only in their measurements.
    fileprivate func isAlike(_ other: FitRecord.Attempt) -> Bool {
        var (one, two) = (self, other)
        (one.score, one.isChosen) = (nil, false)
        (two.score, two.isChosen) = (nil, false)
        return one == two
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
    /// The detail of the newest step that scaled the picture.
    fileprivate var scaling: String? { entries.last { $0.step == "scale" }?.detail }

    /// The newest search for the sticker's own file; `nil` stands for any target. A template has one for each style:
    /// the one that chose a file of `bytes` counts.
    fileprivate func fit(for target: String?, of bytes: Int? = nil) -> FitRecord? {
        let fits = entries.filter { $0.step == "fit" }.compactMap(\.fit)
            .filter { target == nil || $0.target == target }
        return fits.last { $0.attempts.contains { $0.isChosen && $0.bytes == bytes } } ?? fits.last
    }
}
