/// Everything besides the bytes of a file that decides what its sticker looks like.
///
/// Equal bytes and equal recipes give equal files, so they are made once.
public struct Recipe: Hashable, Sendable, Codable {
    /// Raised whenever the code makes other pixels or bytes from the same input.
    public static let currentRevision = 2

    /// The revision of the code.
    public var revision: Int
    /// The settings of the category.
    public var settings: StickerSettings
    /// What the sticker is made for. The first target decides whether it is published.
    public var targets: [Target]

    /// The recipe of a category with `settings`. Emoji stand in manifests, not in pictures, so they
    /// are no part of it.
    ///
    /// - Parameters:
    ///   - settings: of the category.
    ///   - targets: what the sticker is made for, at least one; `nil` for WhatsApp as stickerd knows it.
    ///     What `settings` says of WhatsApp goes before the rules of that target.
    ///   - revision: of the code.
    public init(
        settings: StickerSettings, targets: [Target]? = nil,
        revision: Int = Recipe.currentRevision
    ) {
        self.settings = settings
        self.settings.emojis = []
        self.targets = (targets ?? [.builtInWhatsApp]).map { $0.corrected(by: settings) }
        self.revision = revision
        precondition(!self.targets.isEmpty, "a sticker is made for at least one target")
    }
}

extension Target {
    fileprivate static var builtInWhatsApp: Target {
        guard let target = builtIn[whatsApp] else {
            preconditionFailure("targets.json lacks \(whatsApp)")
        }
        return target
    }

    /// The keys of `sticker` speak of WhatsApp alone; where they differ from their defaults, they go
    /// before the entry.
    fileprivate func corrected(by settings: StickerSettings) -> Target {
        guard name == Self.whatsApp else { return self }
        let defaults = StickerSettings()
        var target = self
        func correct<Value: Equatable>(
            _ rule: WritableKeyPath<Target, Value>, _ setting: KeyPath<StickerSettings, Value>
        ) {
            guard settings[keyPath: setting] != defaults[keyPath: setting] else { return }
            target[keyPath: rule] = settings[keyPath: setting]
        }
        correct(\.stillOrDefault.bytesMax, \.stillBytesMax)
        correct(\.movingOrDefault.bytesMax, \.animatedBytesMax)
        correct(\.movingOrDefault.tooLong, \.tooLong)
        correct(\.canvas.marginPixels, \.marginPixels)
        correct(\.goal, \.goal)
        correct(\.qualityMin, \.qualityMin)
        correct(\.scoreTarget, \.scoreTarget)
        correct(\.scoreMin, \.scoreMin)
        return target
    }

    private var stillOrDefault: StillRules {
        get { still ?? StillRules() }
        set { still = newValue }
    }

    private var movingOrDefault: MovingRules {
        get { moving ?? MovingRules() }
        set { moving = newValue }
    }
}

extension Recipe {
    /// The values whose JSON with sorted keys is hashed to a fingerprint: those of the releases up to
    /// 0.4, in their words, so that what they made stays valid.
    public var fingerprinted: some Encodable { Fingerprinted(self) }

    private struct Fingerprinted: Encodable {
        struct Settings: Encodable {
            var stillBytesMax, animatedBytesMax, trayBytesMax, marginPixels, qualityMin: Int
            var resample: StickerSettings.Resample
            var goal: EncodingGoal
            var scoreTarget, scoreMin: Double
            var tooLong: String
            var thumbnails: [StickerSettings.Thumbnail]
            var companions: Bool
            var matte: String
            var emojis: [String]
        }

        var revision: Int
        var settings: Settings

        init(_ recipe: Recipe) {
            revision = recipe.revision
            let own = recipe.settings
            settings = Settings(
                stillBytesMax: own.stillBytesMax, animatedBytesMax: own.animatedBytesMax,
                trayBytesMax: own.trayBytesMax, marginPixels: own.marginPixels,
                qualityMin: own.qualityMin, resample: own.resample, goal: own.goal,
                scoreTarget: own.scoreTarget, scoreMin: own.scoreMin,
                tooLong: own.tooLong == .refuse ? "hold" : own.tooLong.rawValue,
                thumbnails: own.thumbnails, companions: own.companions, matte: own.matte,
                emojis: own.emojis)
        }
    }
}
