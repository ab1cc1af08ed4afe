extension Watermark {
    /// The state of a mark at one time. A `nil` value is interpolated from the keyframes before and after that have it;
    /// in the first and the last it is as in the mark.
    public struct Keyframe: Hashable, Sendable, Codable {
        /// Milliseconds since the sticker began.
        public var milliseconds: Int
        /// As in the mark.
        public var width, height: Double?
        /// As in the mark.
        public var anchor, offset: Point?
        /// As in the mark.
        public var opacity: Double?

        /// Creates a keyframe that changes nothing.
        public init(milliseconds: Int) { self.milliseconds = milliseconds }
    }

    /// How many keyframes a mark may have.
    public static let keyframesMax = 64
    /// The latest time of a keyframe, in milliseconds.
    public static let millisecondsMax = 60_000

    /// Whether its keyframes differ.
    public var hasMotion: Bool {
        keyframes.indices.dropFirst().contains { later in
            at(milliseconds: keyframes[later].milliseconds)
                != at(milliseconds: keyframes[later - 1].milliseconds)
        }
    }

    /// The time of the last keyframe, in milliseconds.
    public var motionMilliseconds: Int { keyframes.last?.milliseconds ?? 0 }

    /// The mark at a time, in milliseconds. Between keyframes everything changes linearly; before the first and after
    /// the last it stays constant.
    public func at(milliseconds: Int) -> Watermark {
        var mark = self
        mark.keyframes = []
        let time = Double(milliseconds)
        mark.width = value(of: \.width, width, at: time, Double.mix)
        mark.height = value(of: \.height, height, at: time, Double.mix)
        mark.anchor = value(of: \.anchor, anchor, at: time, Point.mix) ?? anchor
        mark.offset = value(of: \.offset, offset, at: time, Point.mix) ?? offset
        mark.opacity = value(of: \.opacity, opacity, at: time, Double.mix) ?? opacity
        return mark
    }

    private func value<Value>(
        of property: KeyPath<Keyframe, Value?>, _ own: Value?, at time: Double,
        _ mix: (Value, Value, Double) -> Value
    ) -> Value? {
        var before: (time: Double, value: Value)?
        for (index, keyframe) in keyframes.enumerated() {
            let isAtAnEnd = index == 0 || index == keyframes.count - 1
            let named = keyframe[keyPath: property] ?? (isAtAnEnd ? own : nil)
            guard let value = named else { continue }
            let then = Double(keyframe.milliseconds)
            guard then <= time else {
                guard let before else { return value }
                return mix(before.value, value, (time - before.time) / (then - before.time))
            }
            before = (then, value)
        }
        return before?.value ?? own
    }
}

extension Double {
    fileprivate static func mix(_ a: Double, _ b: Double, _ part: Double) -> Double {
        a + (b - a) * part
    }
}

extension Watermark.Point {
    fileprivate static func mix(_ a: Self, _ b: Self, _ part: Double) -> Self {
        Self(x: .mix(a.x, b.x, part), y: .mix(a.y, b.y, part))
    }
}
