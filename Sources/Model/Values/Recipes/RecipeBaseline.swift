/// The value of an absent word in a recipe text: the default of the release that first had the key.
///
/// These values never change, whatever the present defaults are, because the ids of every library depend on them. A new
/// key gets an entry with its first default; a changed default gets one in `ChangedDefault.all`.
enum RecipeBaseline {
    /// The values by stage and name, as they would be written. The canvas has none, and is always written.
    static let words: [String: String] = [
        "scale.resample": "lanczos3",

        "place.fit": "exact",
        "place.marginPixels": "0",
        "place.sideMultiple": "1",

        "still.forms": #"["webp"]"#,
        "still.bytesMax": "100000",

        "moving.forms": #"["webp"]"#,
        "moving.bytesMax": "500000",
        "moving.framesMax": "0",
        "moving.frameMillisecondsMin": "8",
        "moving.millisecondsMax": "0",
        "moving.tooLong": "faster",
        "moving.loopCount": "-1",
        "moving.matte": "#FFFFFF",

        "search.goal": "best",
        "search.qualityMin": "20",
        "search.scoreTarget": "90.0",
        "search.scoreMin": "0.0",

        "beside.trayBytesMax": "50000",
        "beside.thumbnails": "144png,96webp",
        "beside.companions": "true",
        "beside.matte": "#FFFFFF",
    ]
}

/// The words of one stage of a recipe, in order: those that differ from the baseline.
struct StageWords {
    private let stage: String
    private(set) var text = ""

    /// Begins the words of `stage`, a name in `RecipeBaseline`.
    init(of stage: String) { self.stage = stage }

    /// Stands for missing rules.
    static var none: StageWords {
        var words = StageWords(of: "")
        words.text = " none"
        return words
    }

    /// Adds ` name=value`, unless it equals the baseline.
    mutating func add(_ name: String, _ value: some Any) {
        let value = "\(value)"
        if RecipeBaseline.words["\(stage).\(name)"] != value { text += " \(name)=\(value)" }
    }
}
