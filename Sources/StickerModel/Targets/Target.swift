/// One platform's rules for a sticker, as data: the entries stand in `targets.json`.
public struct Target: Hashable, Sendable, Codable {
    /// The target that the keys of `sticker` speak of.
    public static let whatsApp = "whatsapp"

    /// The name that configurations use.
    public var name: String
    /// What the picture is drawn on.
    public var canvas: TargetCanvas
    /// What a sticker that stands still must keep to; `nil` where the platform takes none.
    public var still: StillRules?
    /// What a sticker that moves must keep to; `nil` where the platform takes none that can be made.
    public var moving: MovingRules?
    /// Why there are no rules for stickers that move, for people.
    public var withoutMoving: String?
    /// What the encoding is for.
    public var goal = EncodingGoal.best
    /// The lowest WebP quality that is published.
    public var qualityMin = 20
    /// The score, 0-100, that the goal `smallest` keeps to.
    public var scoreTarget = 90.0
    /// The lowest score, 0-100, that is published; 0 publishes all.
    public var scoreMin = 0.0
    /// Where the rules are written down.
    public var source = ""
    /// When the entry was written or last checked, `2026-11-22`.
    public var date = ""

    /// A target without rules.
    public init(name: String, canvas: TargetCanvas) {
        self.name = name
        self.canvas = canvas
    }

    /// The rules alone: two targets with the same share their renditions.
    public var rules: Target {
        var rules = self
        (rules.name, rules.source, rules.date, rules.withoutMoving) = ("", "", "", nil)
        return rules
    }

    /// The formats that its files may have, each once.
    public var formats: [ImageFormat] {
        let still = (still?.forms ?? []).map(\.format)
        let moving = (moving?.forms ?? []).map(\.format)
        return (still + moving).reduce(into: []) { formats, format in
            if !formats.contains(format) { formats.append(format) }
        }
    }

    /// The key of the configuration that sets one of the rules, for messages.
    public func key(_ rule: Rule, moves: Bool = false) -> String {
        Self.key(rule, of: name, moves: moves)
    }

    /// The key of the configuration that sets one of the rules of the target `name`.
    public static func key(_ rule: Rule, of name: String, moves: Bool = false) -> String {
        let isWhatsApp = name == whatsApp
        return switch rule {
        case .bytesMax where isWhatsApp:
            moves ? "sticker.animatedBytesMax" : "sticker.stillBytesMax"
        case .bytesMax: "targets.\(name).\(moves ? "moving" : "still").bytesMax"
        case .tooLong: isWhatsApp ? "sticker.tooLong" : "targets.\(name).moving.tooLong"
        case .qualityMin, .scoreMin, .scoreTarget:
            isWhatsApp ? "sticker.\(rule.rawValue)" : "targets.\(name).\(rule.rawValue)"
        }
    }

    /// A rule that a message may name.
    public enum Rule: String, Sendable {
        case bytesMax, tooLong, qualityMin, scoreMin, scoreTarget
    }
}

/// What a platform asks of stickers that stand still.
public struct StillRules: Hashable, Sendable, Codable {
    /// How such a sticker can be coded.
    public enum Form: String, Sendable, Codable, CaseIterable {
        case webp
        /// PNG with every colour.
        case png
        /// PNG with up to 256 colours of its own choosing.
        case palettePNG = "palette-png"

        /// The format of the file.
        public var format: ImageFormat { self == .webp ? .webp : .png }
    }

    /// The forms that the platform takes, the best first; the first that fits is taken.
    public var forms: [Form] = [.webp]
    /// Bytes of the file.
    public var bytesMax = 100_000

    /// One WebP of 100 KB.
    public init() {}
}

/// What a platform asks of stickers that move.
public struct MovingRules: Hashable, Sendable, Codable {
    /// How such a sticker can be coded.
    public enum Form: String, Sendable, Codable, CaseIterable {
        case webp, gif
        /// Animated PNG with every colour, in a file named `.png`.
        case apng

        /// The format of the file.
        public var format: ImageFormat {
            switch self {
            case .webp: .webp
            case .gif: .gif
            case .apng: .png
            }
        }
    }

    /// The forms that the platform takes, the best first; the first that fits is taken.
    public var forms: [Form] = [.webp]
    /// Bytes of the file.
    public var bytesMax = 500_000
    /// Frames, at most; 0 for any number.
    public var framesMax = 0
    /// Shorter frames are merged with their neighbour.
    public var frameMillisecondsMin = 8
    /// Playing time, at most; 0 for any.
    public var millisecondsMax = 0
    /// What becomes of an animation that plays longer.
    public var tooLong = TooLong.faster
    /// How often it is to be played, 0 for ever; `nil` for as often as the source says.
    public var loopCount: Int?

    /// One WebP of 500 KB that plays as long as it will.
    public init() {}
}
