public import StickerValues

extension Refusal.Reason {
    /// The rule in the words of people who draw, to be read after a number of files.
    public var inWords: String {
        switch self {
        case .emptyFile: "without content"
        case .unsupportedFormat: "in a format that is not read"
        case .unsupportedVariant: "in a variant of their format that is not read"
        case .misnamed: "pictures without a picture's name"
        case .conflictCopy: "copies of other files, made by a program"
        case .truncated: "with a missing end"
        case .corrupt: "damaged"
        case .badDimensions: "with an unusable width or height"
        case .tooManyBytes: "with too many bytes"
        case .tooManyPixels: "with too many pixels"
        case .tooManyFrames: "with too many frames"
        case .tooComplex: "that take too long to draw"
        case .decoderCrashed: "that crash the program that reads them"
        case .daemonCrashed: "held, as stickerd crashed while it read them"
        case .outOfMemory: "that need too much memory"
        case .tooLong: "that play too long"
        case .noFrames: "that show nothing"
        case .willNotFit: "that would have too many bytes as stickers"
        case .notTaken: "of a kind that the platform does not take"
        case .invalidWords: "of words with faults"
        case .invalidTemplate: "templates with faults"
        case .unknownCharacters: "with characters that no font has"
        case .notRegularFile: "that are links, pipes or devices"
        case .unreadable: "that cannot be read"
        case .verificationFailed: "whose sticker came out wrong"
        case .needsReview: "waiting for review"
        case .retriesExhausted: "that failed several times"
        }
    }
}
