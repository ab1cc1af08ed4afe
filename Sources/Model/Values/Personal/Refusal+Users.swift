extension Refusal {
    /// The same for the user who uploaded the file: it does not mention the machine, its folders or its settings, which
    /// only concern operators.
    public var forUsers: Refusal {
        let (detail, remedy) = reason.wordsForUsers
        return Refusal(
            reason, detail, measured: measured.map(Self.withoutKey),
            limit: limit.map(Self.withoutKey), remedy: remedy)
    }

    /// `60 s (limits.cpuSecondsMax)` without the key.
    private static func withoutKey(_ value: String) -> String {
        value.replacing(/[ ]\([A-Za-z0-9_.]+\)/, with: "")
    }
}

extension Refusal.Reason {
    /// The problem and its remedy.
    fileprivate var wordsForUsers: (detail: String, remedy: String) {
        switch self {
        case .emptyFile: ("the picture has no content", "send it again")
        case .unsupportedFormat: ("this kind of picture is not supported", ImageFormat.remedy)
        case .unsupportedVariant, .notTaken, .invalidWords, .invalidTemplate:
            ("this kind of picture is not supported", "save it as PNG")
        case .conflictCopy: ("the picture is a copy of another one", "rename it")
        case .misnamed: ("the name is not that of a picture", "rename it")
        case .truncated: ("the end of the picture is missing", "send it again")
        case .corrupt, .decoderCrashed, .daemonCrashed:
            ("the picture is damaged", "open it in an image editor and export it again")
        case .badDimensions: ("the picture has an unusable size", "crop or scale it")
        case .tooManyBytes, .tooManyPixels, .outOfMemory:
            ("the picture is too large", "scale it down; a sticker has 512x512 pixels")
        case .tooManyFrames: ("the picture has too many frames", "leave some out")
        case .tooComplex: ("the picture takes too long to process", "simplify it")
        case .tooLong: ("the animation is too long", "make it shorter")
        case .unknownCharacters:
            ("no font here has some of its characters", "convert its text to paths")
        case .noFrames: ("nothing can be seen", "export it again, visible")
        case .willNotFit:
            (
                "the sticker would have too many bytes",
                "simplify the picture: less noise, softer texture"
            )
        case .needsReview: ("the sticker is reviewed first", "wait; nothing is wrong with it")
        case .notRegularFile, .unreadable, .verificationFailed, .retriesExhausted:
            ("something went wrong here", "try again later")
        }
    }
}
