import StickerModel

/// The frames of an animation in the order in which they are shown. A pure value.
struct Timeline: Hashable, Sendable {
    /// One frame that is shown.
    struct Frame: Hashable, Sendable {
        /// Which frame of the source.
        var source: Int
        /// How long it is shown.
        var milliseconds: Int
    }

    /// WhatsApp refuses frames that are shown for a shorter time.
    static let frameMillisecondsMin = 8
    /// WhatsApp refuses animations that play for a longer time.
    static let totalMillisecondsMax = 10_000
    /// Longer ones would play too fast.
    static let fasterMillisecondsMax = 15_000

    /// In order.
    var frames: [Frame]

    /// The playing time.
    var totalMilliseconds: Int { frames.reduce(0) { $0 + $1.milliseconds } }

    /// Begins with the frame at `index`; the frames before it come last, as the animation loops.
    func rotated(toBeginAt index: Int) -> Timeline {
        Timeline(frames: Array(frames[index...] + frames[..<index]))
    }

    /// Plays in `total` milliseconds, every frame in proportion; the total is exact.
    func scaled(toLast total: Int) -> Timeline {
        let before = totalMilliseconds
        var elapsed = 0
        var shown = 0
        return Timeline(
            frames: frames.map { frame in
                elapsed += frame.milliseconds
                let end = elapsed * total / before
                defer { shown = end }
                return Frame(source: frame.source, milliseconds: end - shown)
            })
    }

    /// Ends after `total` milliseconds.
    func trimmed(toLast total: Int) -> Timeline {
        var left = total
        var kept: [Frame] = []
        for frame in frames where left > 0 {
            kept.append(
                Frame(source: frame.source, milliseconds: min(frame.milliseconds, left)))
            left -= frame.milliseconds
        }
        return Timeline(frames: kept).merged()
    }

    /// Keeps every `step`-th frame; the time of a dropped frame goes to the one before it.
    func keeping(every step: Int) -> Timeline {
        var kept: [Frame] = []
        for (index, frame) in frames.enumerated() {
            if index % step == 0 {
                kept.append(frame)
            } else {
                kept[kept.count - 1].milliseconds += frame.milliseconds
            }
        }
        return Timeline(frames: kept)
    }

    /// Frames that are too short for WhatsApp are merged into their neighbour, not stretched.
    func merged() -> Timeline {
        var kept: [Frame] = []
        for frame in frames {
            if var last = kept.last, last.milliseconds < Self.frameMillisecondsMin {
                last.milliseconds += frame.milliseconds
                last.source = frame.source
                kept[kept.count - 1] = last
            } else {
                kept.append(frame)
            }
        }
        if kept.count > 1, let last = kept.last, last.milliseconds < Self.frameMillisecondsMin {
            kept.removeLast()
            kept[kept.count - 1].milliseconds += last.milliseconds
        }
        return Timeline(frames: kept)
    }
}

extension Timeline {
    /// The timeline brought under the time limit as the category wants it, and what was done.
    ///
    /// - Throws: `Refusal` `too-long`.
    func limited(by rule: StickerSettings.TooLong) throws(Refusal) -> (Timeline, Warning?) {
        let total = totalMilliseconds
        guard total > Self.totalMillisecondsMax else { return (merged(), nil) }
        let limit = Self.totalMillisecondsMax
        switch rule {
        case .faster where total <= Self.fasterMillisecondsMax:
            let warning = Warning(
                "played-faster", "\(total.inSeconds) s are played in \(limit.inSeconds) s")
            return (scaled(toLast: limit).merged(), warning)
        case .trim:
            let warning = Warning(
                "trimmed", "only the first \(limit.inSeconds) s of \(total.inSeconds) s are kept")
            return (trimmed(toLast: limit), warning)
        case .faster, .hold:
            throw Refusal(
                .tooLong, "the animation plays too long for a sticker",
                measured: "\(total.inSeconds) s",
                limit: rule == .faster
                    ? "\(limit.inSeconds) s, or \(Self.fasterMillisecondsMax.inSeconds) s played faster (sticker.tooLong)"
                    : "\(limit.inSeconds) s (sticker.tooLong is hold)",
                remedy: "shorten it, or set tooLong of its category to trim")
        }
    }
}

extension Int {
    /// Milliseconds as seconds: `12.5`.
    fileprivate var inSeconds: String { (Double(self) / 1000).shown }
}
