import StickerValues

/// The frames of an animation in the order in which they are shown. A pure value.
struct Timeline: Hashable, Sendable {
    /// One frame that is shown.
    struct Frame: Hashable, Sendable {
        /// The frame of the source.
        var source: Int
        /// How long it is shown.
        var milliseconds: Int
    }

    /// The shortest length of a shortened hold, in milliseconds.
    static let holdMin = 1000
    /// The fewest frames per second after dropping frames.
    private static let framesPerSecondMin = 5

    /// In order.
    var frames: [Frame]

    /// Creates a timeline of frames in order.
    init(frames: [Frame]) { self.frames = frames }

    /// Creates a timeline of one frame that is shown all the time.
    init(still source: Int, milliseconds: Int) {
        frames = [Frame(source: source, milliseconds: milliseconds)]
    }

    /// The playing time.
    var totalMilliseconds: Int { frames.reduce(0) { $0 + $1.milliseconds } }

    /// Begins with the frame at `index`; the frames before it come last, as the animation loops.
    func rotated(toBeginAt index: Int) -> Timeline {
        Timeline(frames: Array(frames[index...] + frames[..<index]))
    }

    /// Begins with the frame at `index`, without those before it.
    func begun(at index: Int) -> Timeline { Timeline(frames: Array(frames[index...])) }

    /// Plays in `total` milliseconds, with every frame in proportion; the total is exact.
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

    /// The same frames, with the last one shown until `total` milliseconds, which is near its end.
    func ending(at total: Int) -> Timeline {
        var timeline = self
        let rest = total - totalMilliseconds
        if !frames.isEmpty { timeline.frames[frames.count - 1].milliseconds += rest }
        return timeline
    }

    /// Shortens the longest frames, all to the same time, until everything plays in `total` milliseconds, or none is
    /// longer than `holdMin`.
    func shorteningHolds(toLast total: Int) -> Timeline {
        let longest = frames.map(\.milliseconds).sorted(by: >)
        var (excess, level) = (totalMilliseconds - total, longest.first ?? 0)
        for count in 1..<(longest.count + 1) where excess > 0 && level > Self.holdMin {
            // The longer ones are reduced to the next.
            let next = max(Self.holdMin, count < longest.count ? longest[count] : 0)
            let step = min(level - next, (excess + count - 1) / count)
            (excess, level) = (excess - step * count, level - step)
        }
        return shortened(to: level)
    }

    /// Shortens long holds to a length that becomes `holdMin` once everything is played in `total` milliseconds; `nil`
    /// if they alone take that time.
    func shorteningHolds(toBePlayedIn total: Int) -> Timeline? {
        let holds = frames.count { $0.milliseconds > Self.holdMin }
        let others = totalMilliseconds(atMost: Self.holdMin) - holds * Self.holdMin
        let room = total - holds * Self.holdMin
        guard room > 0 else { return nil }
        return shortened(to: (others * Self.holdMin + room - 1) / room)
    }

    private func totalMilliseconds(atMost level: Int) -> Int {
        frames.reduce(0) { $0 + min($1.milliseconds, level) }
    }

    private func shortened(to level: Int) -> Timeline {
        Timeline(
            frames: frames.map {
                Frame(source: $0.source, milliseconds: min($0.milliseconds, level))
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
        return Timeline(frames: kept)
    }

    /// The timeline, then with every other frame, every third and so on, as long as it plays smoothly.
    var thinned: some Sequence<Timeline> {
        sequence(state: 1) { step -> Timeline? in
            let kept = keeping(every: step)
            defer { step += 1 }
            return step == 1 || kept.isSmooth ? kept : nil
        }
    }

    private var isSmooth: Bool {
        frames.count > 1
            && totalMilliseconds <= frames.count * 1000 / Self.framesPerSecondMin
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

    /// Merges frames shorter than `least` with their neighbours, instead of stretching them.
    func merged(least: Int) -> Timeline {
        var kept: [Frame] = []
        for frame in frames {
            if var last = kept.last, last.milliseconds < least {
                last.milliseconds += frame.milliseconds
                last.source = frame.source
                kept[kept.count - 1] = last
            } else {
                kept.append(frame)
            }
        }
        if kept.count > 1, let last = kept.last, last.milliseconds < least {
            kept.removeLast()
            kept[kept.count - 1].milliseconds += last.milliseconds
        }
        return Timeline(frames: kept)
    }
}

extension Timeline {
    /// The timeline within the rules of `target`, and the changes made.
    ///
    /// - Throws: `Refusal` `too-long`.
    func limited(
        by rules: MovingRules, of target: Target
    ) throws(Refusal) -> (timeline: Timeline, warnings: [Warning]) {
        var (shortened, warnings) = try shortened(by: rules, of: target)
        // GIF has no shorter frames, and viewers of animated PNG prolong those of 10 ms a lot.
        let least = max(rules.frameMillisecondsMin, rules.forms == [.webp] ? 0 : 20)
        let merged = shortened.merged(least: least)
        guard rules.framesMax > 0, merged.frames.count > rules.framesMax else {
            return (merged, warnings)
        }
        let step = (merged.frames.count + rules.framesMax - 1) / rules.framesMax
        let kept = merged.keeping(every: step)
        warnings.append(
            .framesDropped(merged.frames.count - kept.frames.count, "to keep to \(rules.framesMax)")
        )
        return (kept, warnings)
    }

    private func shortened(
        by rules: MovingRules, of target: Target
    ) throws(Refusal) -> (timeline: Timeline, warnings: [Warning]) {
        let (total, limit) = (totalMilliseconds, rules.millisecondsMax)
        guard limit > 0, total > limit else { return (self, []) }
        let played = min(total, limit * 3 / 2)
        switch rules.tooLong {
        case .faster where total == played, .fasterOrTrim where total == played:
            return (scaled(toLast: limit), [.playedFaster(total, in: limit)])
        case .fasterOrTrim:
            let detail =
                "only the first \(played.inSeconds) s of \(total.inSeconds) s are kept, "
                + "played in \(limit.inSeconds) s"
            return (trimmed(toLast: played).scaled(toLast: limit), [Warning("trimmed", detail)])
        case .trim:
            let detail = "only the first \(limit.inSeconds) s of \(total.inSeconds) s are kept"
            return (trimmed(toLast: limit), [Warning("trimmed", detail)])
        case .faster, .refuse:
            return try withShorterHolds(by: rules, key: target.key(.tooLong))
        }
    }

    /// An animation too long for the rules, with its long holds shortened.
    private func withShorterHolds(
        by rules: MovingRules, key: String
    ) throws(Refusal) -> (timeline: Timeline, warnings: [Warning]) {
        let (total, limit) = (totalMilliseconds, rules.millisecondsMax)
        let longest = rules.tooLong == .faster ? limit * 3 / 2 : limit
        var held = shorteningHolds(toLast: limit)
        var rest = held.totalMilliseconds
        guard rest <= longest else { throw .tooLong(total, rest, rules, key: key) }
        if rest > limit, let longer = shorteningHolds(toBePlayedIn: limit),
            longer.totalMilliseconds <= longest
        {
            (held, rest) = (longer, longer.totalMilliseconds)
        }
        let count = zip(frames, held.frames).count { $0 != $1 }
        let warning = Warning(
            "holds-shortened",
            "\(count.counted("long hold was", "long holds were")) shortened, so that "
                + "\(total.inSeconds) s became \(rest.inSeconds) s")
        guard rest > limit else { return (held, [warning]) }
        return (held.scaled(toLast: limit), [warning, .playedFaster(rest, in: limit)])
    }
}

extension Refusal {
    /// `rest` is its playing time with shortened holds.
    fileprivate static func tooLong(
        _ total: Int, _ rest: Int, _ rules: MovingRules, key: String
    ) -> Refusal {
        let limit = rules.millisecondsMax
        let hold = Timeline.holdMin.inSeconds
        return Refusal(
            .tooLong, "the animation plays too long for a sticker",
            measured: rest == total
                ? "\(total.inSeconds) s"
                : "\(total.inSeconds) s, \(rest.inSeconds) s with no frame shown longer than \(hold) s",
            limit: rules.tooLong == .faster
                ? "\(limit.inSeconds) s, or \((limit * 3 / 2).inSeconds) s played faster (\(key))"
                : "\(limit.inSeconds) s (\(key) is refuse)",
            remedy: "shorten it, or set \(key) to trim")
    }
}

extension Warning {
    /// The warning that `total` milliseconds are played in `limit`.
    fileprivate static func playedFaster(_ total: Int, in limit: Int) -> Warning {
        Warning("played-faster", "\(total.inSeconds) s are played in \(limit.inSeconds) s")
    }

    /// The warning that frames were dropped; `why` ends the sentence.
    static func framesDropped(_ count: Int, _ why: String) -> Warning {
        Warning("frames-dropped", "\(count.counted("frame was", "frames were")) dropped \(why)")
    }
}

extension Int {
    /// Milliseconds as seconds: `12.5`.
    fileprivate var inSeconds: String { (Double(self) / 1000).asFigure }
}
