/// Everything that decides the bytes of some files, as text that is hashed to a `RecipeID`: one line for each stage,
/// with the rules that differ from `RecipeBaseline`.
///
/// So a new rule, a disabled stage, or a changed default does not change existing ids. Once written, the wording of a
/// line never changes, because the ids of every library depend on it.
struct RecipeText {
    /// A kind of picture with a text of its own.
    enum Picture {
        case still, moving
        /// A still in CMYK. Only the decoder knows whether it has a profile.
        case cmyk(CMYKProfile)

        fileprivate var moves: Bool { if case .moving = self { true } else { false } }
    }

    private(set) var lines: [String]

    private init(_ recipe: Recipe, _ picture: Picture) {
        lines = [picture.moves ? "moving" : "still"]
        if recipe.acceptsDamage { lines.append("read damage=accepted") }
        if case .cmyk(let profile) = picture { lines.append("colour cmykProfile=\(profile.hash)") }
    }

    /// Creates the text for the file of a picture for `target`.
    init(_ recipe: Recipe, _ target: Target, _ picture: Picture) {
        let recipe = Self.worn(recipe, picture)
        self.init(recipe, picture)
        let marks = recipe.marks(of: target)
        addDrawing(recipe, target.canvas, picture)
        addMarks(marks, moving: picture.moves || (target.moving != nil && marks.animate))
        let moving = Self.words(target.moving, recipe.settings)
        let still = Self.words(target.still)
        add("fit", picture.moves ? moving : still)
        // A mark may animate a still; whether the sticker moves shows which case applies.
        if picture.moves {
            if recipe.mayAnimateStills { add("still", still) }
        } else if target.moving != nil, marks.animate {
            lines.append("moving" + moving.text)
        }
        var search = StageWords(of: "search")
        search.add("goal", target.goal.rawValue)
        search.add("qualityMin", target.qualityMin)
        search.add("scoreTarget", target.scoreTarget)
        search.add("scoreMin", target.scoreMin)
        add("search", search)
    }

    /// Creates the text for the side files. A poster is a still by the rules of the first target.
    init(sideFilesOf recipe: Recipe, _ picture: Picture) {
        let recipe = Self.worn(recipe, picture)
        self = RecipeText(recipe, recipe.targets[0], picture)
        if picture.moves { add("poster", Self.words(recipe.targets[0].still)) }
        addMarks(ofSideFilesOf: recipe, picture)
        let own = recipe.settings
        var side = StageWords(of: "beside")
        side.add("trayBytesMax", own.trayBytesMax)
        side.add("thumbnails", own.thumbnails.text)
        side.add("companions", own.companions)
        if picture.moves || recipe.mayAnimateStills { side.add("matte", own.matte) }
        lines.append("beside" + side.text)
    }

    /// A recipe with the possible marks of a picture. A still animated by a mark has the text of an animation, which
    /// then contains the marks of both kinds.
    private static func worn(_ recipe: Recipe, _ picture: Picture) -> Recipe {
        picture.moves && recipe.mayAnimateStills ? recipe : recipe.wearing(moves: picture.moves)
    }

    private mutating func addDrawing(
        _ recipe: Recipe, _ canvas: TargetCanvas, _ picture: Picture
    ) {
        let settings = recipe.settings
        if settings.trim { lines.append("trim") }
        var scale = StageWords(of: "scale")
        scale.add("resample", settings.resample.rawValue)
        add("scale", scale)
        if settings.tint.mode != .none, !picture.moves || recipe.mayAnimateStills {
            lines.append("tint \(settings.tint.mode.rawValue) \(settings.tint.color.uppercased())")
        }
        if settings.outline.pixels > 0 {
            let outline = settings.outline
            lines.append("outline pixels=\(outline.pixels) color=\(outline.color.uppercased())")
        }
        var place = StageWords(of: "place")
        place.add("canvas", "\(canvas.width)x\(canvas.height)")
        place.add("fit", canvas.fit.rawValue)
        place.add("marginPixels", canvas.marginPixels)
        place.add("sideMultiple", canvas.sideMultiple)
        add("place", place)
    }

    private mutating func addMarks(_ marks: [Watermark], moving: Bool) {
        lines += marks.map { $0.recipeLine(moves: moving) }
    }

    /// The marks of side files that differ from the sticker's.
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

    private mutating func add(_ stage: String, _ words: StageWords) {
        if !words.text.isEmpty { lines.append(stage + words.text) }
    }

    private static func words(_ rules: StillRules?) -> StageWords {
        guard let rules else { return .none }
        var words = StageWords(of: "still")
        words.add("forms", rules.forms.map(\.rawValue))
        words.add("bytesMax", rules.bytesMax)
        return words
    }

    private static func words(_ rules: MovingRules?, _ settings: StickerSettings) -> StageWords {
        guard let rules else { return .none }
        var words = StageWords(of: "moving")
        words.add("forms", rules.forms.map(\.rawValue))
        words.add("bytesMax", rules.bytesMax)
        words.add("framesMax", rules.framesMax)
        words.add("frameMillisecondsMin", rules.frameMillisecondsMin)
        words.add("millisecondsMax", rules.millisecondsMax)
        words.add("tooLong", rules.tooLong.rawValue)
        words.add("loopCount", rules.loopCount ?? -1)
        if rules.forms.contains(.gif) { words.add("matte", settings.matte) }
        return words
    }
}

extension [StickerSettings.Thumbnail] {
    fileprivate var text: String {
        map { "\($0.pixels)\($0.format.rawValue)" }.joined(separator: ",")
    }
}
