/// What decides the bytes of some files, as text that is hashed to a `RecipeID`: one line for each stage,
/// with the rules that differ from their defaults.
///
/// So a new rule, or a stage that is off, changes no id. Once written, the wording of a line never changes,
/// because the ids of every library depend on it.
struct RecipeText {
    /// A kind of picture that has a text of its own.
    enum Picture {
        case still, moving
        /// A still in CMYK. Whether it brings a profile is only known to the decoder.
        case cmyk(CMYKProfile)

        fileprivate var moves: Bool { if case .moving = self { true } else { false } }
    }

    private(set) var lines: [String]

    private init(_ recipe: Recipe, _ picture: Picture) {
        lines = [picture.moves ? "moving" : "still"]
        if recipe.acceptsDamage { lines.append("read damage=accepted") }
        if case .cmyk(let profile) = picture { lines.append("colour cmykProfile=\(profile.hash)") }
    }

    /// Creates the text for the file that `target` wants of a picture.
    init(_ recipe: Recipe, _ target: Target, _ picture: Picture) {
        self.init(recipe, picture)
        let marks = recipe.marks(of: target)
        addDrawing(recipe, target.canvas, picture)
        addMarks(marks, moving: picture.moves || (target.moving != nil && marks.animate))
        let moving = Self.words(target.moving, recipe.settings)
        let still = Self.words(target.still, StillRules())
        add("fit", picture.moves ? moving : still)
        // A mark may make a still move, and what became of it is told by whether the sticker moves.
        if picture.moves {
            if recipe.mayAnimateStills { add("still", still) }
        } else if target.moving != nil, marks.animate {
            lines.append("moving" + moving.text)
        }
        let plain = Target(name: "", canvas: target.canvas)
        var search = NamedWords()
        search.add("goal", target.goal.rawValue, unless: plain.goal.rawValue)
        search.add("qualityMin", target.qualityMin, unless: plain.qualityMin)
        search.add("scoreTarget", target.scoreTarget, unless: plain.scoreTarget)
        search.add("scoreMin", target.scoreMin, unless: plain.scoreMin)
        add("search", search)
    }

    /// Creates the text for the side files. A poster is a still by the rules of the first target.
    init(sideFilesOf recipe: Recipe, _ picture: Picture) {
        self = RecipeText(recipe, recipe.targets[0], picture)
        if picture.moves { add("poster", Self.words(recipe.targets[0].still, StillRules())) }
        addMarks(ofSideFilesOf: recipe, picture)
        let (own, plain) = (recipe.settings, StickerSettings())
        var side = NamedWords()
        side.add("trayBytesMax", own.trayBytesMax, unless: plain.trayBytesMax)
        side.add("thumbnails", own.thumbnails.text, unless: plain.thumbnails.text)
        side.add("companions", own.companions, unless: plain.companions)
        if picture.moves || recipe.mayAnimateStills {
            side.add("matte", own.matte, unless: plain.matte)
        }
        lines.append("beside" + side.text)
    }

    private mutating func addDrawing(
        _ recipe: Recipe, _ canvas: TargetCanvas, _ picture: Picture
    ) {
        let settings = recipe.settings
        if settings.trim { lines.append("trim") }
        var scale = NamedWords()
        scale.add(
            "resample", settings.resample.rawValue, unless: StickerSettings().resample.rawValue)
        add("scale", scale)
        if settings.tint.mode != .none, !picture.moves || recipe.mayAnimateStills {
            lines.append("tint \(settings.tint.mode.rawValue) \(settings.tint.color.uppercased())")
        }
        if settings.outline.pixels > 0 {
            let outline = settings.outline
            lines.append("outline pixels=\(outline.pixels) color=\(outline.color.uppercased())")
        }
        var place = NamedWords()
        place.add("canvas", "\(canvas.width)x\(canvas.height)", unless: "")
        place.add("fit", canvas.fit.rawValue, unless: "exact")
        place.add("marginPixels", canvas.marginPixels, unless: 0)
        place.add("sideMultiple", canvas.sideMultiple, unless: 1)
        add("place", place)
    }

    private mutating func addMarks(_ marks: [Watermark], moving: Bool) {
        lines += marks.map { $0.recipeLine(moves: moving) }
    }

    /// The marks of side files that wear others than the sticker.
    private mutating func addMarks(ofSideFilesOf recipe: Recipe, _ picture: Picture) {
        let own = recipe.marks(of: recipe.targets[0])
        let moving = picture.moves || recipe.mayAnimateStills
        var roles: [StickerFile.Role] = recipe.settings.companions ? [.companion] : []
        roles += (moving ? [.poster] : []) + [.thumbnail, .tray]
        for role in roles {
            let marks = recipe.marks(on: role)
            guard marks != own else { continue }
            lines.append("on \(role.rawValue)")
            addMarks(marks, moving: moving)
        }
    }

    private mutating func add(_ stage: String, _ words: NamedWords) {
        if !words.text.isEmpty { lines.append(stage + words.text) }
    }

    private static func words(_ rules: StillRules?, _ plain: StillRules) -> NamedWords {
        var words = NamedWords()
        guard let rules else { return words.none }
        words.add("forms", rules.forms.map(\.rawValue), unless: plain.forms.map(\.rawValue))
        words.add("bytesMax", rules.bytesMax, unless: plain.bytesMax)
        return words
    }

    private static func words(_ rules: MovingRules?, _ settings: StickerSettings) -> NamedWords {
        let plain = MovingRules()
        var words = NamedWords()
        guard let rules else { return words.none }
        words.add("forms", rules.forms.map(\.rawValue), unless: plain.forms.map(\.rawValue))
        words.add("bytesMax", rules.bytesMax, unless: plain.bytesMax)
        words.add("framesMax", rules.framesMax, unless: plain.framesMax)
        words.add(
            "frameMillisecondsMin", rules.frameMillisecondsMin, unless: plain.frameMillisecondsMin)
        words.add("millisecondsMax", rules.millisecondsMax, unless: plain.millisecondsMax)
        words.add("tooLong", rules.tooLong.rawValue, unless: plain.tooLong.rawValue)
        words.add("loopCount", rules.loopCount ?? -1, unless: plain.loopCount ?? -1)
        if rules.forms.contains(.gif) {
            words.add("matte", settings.matte, unless: StickerSettings().matte)
        }
        return words
    }
}

extension [StickerSettings.Thumbnail] {
    fileprivate var text: String {
        map { "\($0.pixels)\($0.format.rawValue)" }.joined(separator: ",")
    }
}
