/// Everything besides the bytes of a picture that decides its files.
public struct Recipe: Hashable, Sendable, Codable {
    /// The revision of the code, raised when it makes other files from the same input.
    ///
    /// It is not part of a `RecipeID`: products of an older revision stay valid until a redo is requested.
    public static let currentRevision = 5
    /// The last revision that improved every sticker. Fixes in later ones concern only some, recognised by their
    /// pictures: `MendedFault` in StickerContainers.
    public static let generalRevision = 4

    /// The settings of the category.
    public var settings: StickerSettings
    /// The targets of the sticker, at least one. The first one decides whether it is published.
    public var targets: [Target]
    /// Whether to make the sticker and its side files, or only the renditions for further targets.
    public var makesSticker = true
    /// Whether an animated PNG is drawn as its still picture: its sticker has been a still since release 0.4, and
    /// further files are stills, too.
    public var drawsStill = false
    /// Whether the readable part of a damaged file is accepted as the picture.
    public var acceptsDamage = false
    /// Whether a drawing with characters in no font is refused instead of drawn with boxes.
    public var refusesUnknownCharacters = false
    /// The profile of a CMYK picture without a usable one of its own; without it, the inks are multiplied out. It
    /// affects no other picture.
    public var cmykProfile: CMYKProfile?

    /// Creates the recipe of a category with `settings`. Emoji, words, packs and reviews are beside pictures, not in
    /// them, and the content of a template is in its drawing, so they are not part of it.
    ///
    /// - Parameters:
    ///   - settings: the settings of the category.
    ///   - targets: the targets of the sticker, at least one; `nil` for the built-in WhatsApp target. WhatsApp values
    ///     in `settings` take precedence over the rules of that target.
    public init(settings: StickerSettings, targets: [Target]? = nil) {
        self.settings = settings
        self.settings.emojis = []
        self.settings.packs = []
        self.settings.review = false
        self.settings.words = CategoryWords()
        self.settings.tuikit = StickerSettings.FaceGroup()
        self.settings.smart = StickerSettings.Smart()
        self.targets = (targets ?? [.builtInWhatsApp]).map { $0.corrected(by: settings) }
        precondition(!self.targets.isEmpty, "a sticker is made for at least one target")
    }

    /// The targets to make files for.
    public var targetsToMake: ArraySlice<Target> {
        makesSticker ? targets[...] : targets.dropFirst()
    }

    /// Adds a target, unless all its files are covered by other targets with rules as strict.
    package mutating func add(_ target: Target) {
        let isMade = targets.contains { $0.name == target.name }
        // If marks distinguish targets, each target that they name has files of its own.
        let named = settings.targetsNamedByMarks
        var others = named.contains(target.name) ? [] : targets.filter { !named.contains($0.name) }
        // If a mark animates stills, a target without animations has stills of its own.
        if target.moving == nil {
            others.removeAll { $0.moving != nil && marks(of: $0).animate }
        }
        let isCovered = [false, true].allSatisfy { moves in
            (moves ? target.moving == nil : target.still == nil)
                || others.contains { $0.covers(target, moves: moves) }
        }
        if !isMade, !isCovered { targets.append(target) }
    }

    /// The part of the recipe that makes the sticker and its side files.
    public var ofStickerAlone: Recipe { part(for: [], makesSticker: true) }

    /// The part of the recipe that makes the renditions for `names`, and the sticker if `makesSticker`.
    func part(for names: Set<String>, makesSticker: Bool) -> Recipe {
        var part = self
        part.targets = [targets[0]] + targets.dropFirst().filter { names.contains($0.name) }
        part.makesSticker = makesSticker
        return part
    }
}

extension Target {
    fileprivate static var builtInWhatsApp: Target {
        guard let target = builtIn[whatsApp] else {
            preconditionFailure("targets.json lacks \(whatsApp)")
        }
        return target
    }

    /// The keys of `sticker` apply only to WhatsApp; those that differ from their defaults take precedence over the
    /// entry.
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
