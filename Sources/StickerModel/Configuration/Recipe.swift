/// Everything besides the bytes of a picture that decides what its files look like.
public struct Recipe: Hashable, Sendable, Codable {
    /// The revision of the code, raised when it makes better files of the same input.
    ///
    /// It is no part of a `RecipeID`: what an older revision made stays valid until somebody asks for more.
    public static let currentRevision = 2

    /// The settings of the category.
    public var settings: StickerSettings
    /// What the sticker is made for, at least one. The first target decides whether it is published.
    public var targets: [Target]
    /// Whether the sticker and the files beside it are to be made, or only what further targets want.
    public var makesSticker = true

    /// The recipe of a category with `settings`. Emoji stand in manifests, not in pictures, so they
    /// are no part of it.
    ///
    /// - Parameters:
    ///   - settings: of the category.
    ///   - targets: what the sticker is made for, at least one; `nil` for WhatsApp as stickerd knows it.
    ///     What `settings` says of WhatsApp goes before the rules of that target.
    public init(settings: StickerSettings, targets: [Target]? = nil) {
        self.settings = settings
        self.settings.emojis = []
        self.targets = (targets ?? [.builtInWhatsApp]).map { $0.corrected(by: settings) }
        precondition(!self.targets.isEmpty, "a sticker is made for at least one target")
    }

    /// The targets that files are to be made for.
    public var targetsToMake: ArraySlice<Target> {
        makesSticker ? targets[...] : targets.dropFirst()
    }

    /// The part of the recipe that makes renditions for `names`, and the sticker if `makesSticker`.
    func part(for names: Set<String>, makesSticker: Bool) -> Recipe {
        var part = self
        part.targets = [targets[0]] + targets.dropFirst().filter { names.contains($0.name) }
        part.makesSticker = makesSticker
        return part
    }
}

extension Configuration {
    /// The recipe of the category whose folder has this name; `nil` means the default category.
    public func recipe(forCategoryFolder folder: [UInt8]?) -> Recipe {
        let settings = settings(forCategoryFolder: folder)
        return Recipe(settings: settings, targets: settings.targets.compactMap { targets[$0] })
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
