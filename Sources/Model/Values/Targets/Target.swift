/// One platform's rules for a sticker, as data; `targets.json` holds the entries.
public struct Target: Hashable, Sendable, Codable {
    /// The target that the keys of `sticker` apply to.
    public static let whatsApp = "whatsapp"

    /// The name used in configurations.
    public var name: String
    /// The canvas.
    public var canvas: TargetCanvas
    /// The rules for a still sticker; `nil` if the platform accepts none.
    public var still: StillRules?
    /// The rules for a moving sticker; `nil` if the platform accepts none that stickerd can make.
    public var moving: MovingRules?
    /// Why there are no rules for moving stickers.
    public var withoutMoving: String?
    /// The goal of the encoder.
    public var goal = EncodingGoal.best
    /// The lowest WebP quality to publish.
    public var qualityMin = 20
    /// The score, 0-100, to reach with the goal `smallest`.
    public var scoreTarget = 90.0
    /// The lowest score, 0-100, to publish; 0 publishes everything.
    public var scoreMin = 0.0
    /// The documentation of the rules.
    public var source = ""
    /// When the entry was written or last checked, for example `2026-11-22`.
    public var date = ""

    /// Creates a target without rules.
    public init(name: String, canvas: TargetCanvas) {
        self.name = name
        self.canvas = canvas
    }

    /// Only the rules: targets with equal rules share their renditions.
    public var rules: Target {
        var rules = self
        (rules.name, rules.source, rules.date, rules.withoutMoving) = ("", "", "", nil)
        return rules
    }

    /// The possible formats of its files, each once.
    public var formats: [ImageFormat] {
        let still = (still?.forms ?? []).map(\.format)
        let moving = (moving?.forms ?? []).map(\.format)
        return (still + moving).reduce(into: []) { formats, format in
            if !formats.contains(format) { formats.append(format) }
        }
    }

    /// The configuration key that sets one of the rules, for messages.
    public func key(_ rule: Rule, moves: Bool = false) -> String {
        Self.key(rule, of: name, moves: moves)
    }

    /// The configuration key that sets one of the rules of the target `name`.
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

    /// A rule that a message may mention.
    public enum Rule: String, Sendable {
        case bytesMax, tooLong, qualityMin, scoreMin, scoreTarget
    }
}

/// A platform's requirements for still stickers.
public struct StillRules: Hashable, Sendable, Codable {
    /// How such a sticker can be encoded.
    public enum Form: String, Sendable, Codable, CaseIterable {
        case webp
        /// PNG in full colour.
        case png
        /// PNG with a palette of up to 256 colours.
        case palettePNG = "palette-png"

        /// The format of the file.
        public var format: ImageFormat { self == .webp ? .webp : .png }
    }

    /// The forms that the platform accepts, the best first; the first one that fits is used.
    public var forms: [Form] = [.webp]
    /// The largest file in bytes.
    public var bytesMax = 100_000

    /// Creates rules for one WebP of 100 KB.
    public init() {}
}

/// A platform's requirements for moving stickers.
public struct MovingRules: Hashable, Sendable, Codable {
    /// How such a sticker can be encoded.
    public enum Form: String, Sendable, Codable, CaseIterable {
        case webp, gif
        /// Animated PNG in full colour, in a file named `.png`.
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

    /// The forms that the platform accepts, the best first; the first one that fits is used.
    public var forms: [Form] = [.webp]
    /// The largest file in bytes.
    public var bytesMax = 500_000
    /// The largest number of frames; 0 for any number.
    public var framesMax = 0
    /// Shorter frames are merged with a neighbour.
    public var frameMillisecondsMin = 8
    /// The longest playing time; 0 for any.
    public var millisecondsMax = 0
    /// The rule for an animation that plays longer.
    public var tooLong = TooLong.faster
    /// How often it is played; 0 for endless, `nil` as in the source.
    public var loopCount: Int?

    /// Creates rules for one WebP of 500 KB of any duration.
    public init() {}
}
