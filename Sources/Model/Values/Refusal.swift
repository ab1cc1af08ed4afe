/// Why a file does not become a sticker, in words an artist can act on.
public struct Refusal: Error, Hashable, Sendable, Codable {
    /// The violated rule; its raw value can be searched for.
    public enum Reason: String, Sendable, Codable, CaseIterable {
        case emptyFile = "empty-file"
        case unsupportedFormat = "unsupported-format"
        case unsupportedVariant = "unsupported-variant"
        /// A picture without a picture's name.
        case misnamed
        /// A copy that a program made because two people changed a picture.
        case conflictCopy = "conflict-copy"
        case truncated
        case corrupt
        case badDimensions = "bad-dimensions"
        case tooManyBytes = "too-many-bytes"
        case tooManyPixels = "too-many-pixels"
        case tooManyFrames = "too-many-frames"
        case tooComplex = "too-complex"
        /// The worker was killed by a signal: the file crashes a decoder.
        case decoderCrashed = "decoder-crashed"
        /// The daemon itself crashed while reading the file: it is held.
        case daemonCrashed = "daemon-crashed"
        case outOfMemory = "out-of-memory"
        case tooLong = "too-long"
        case noFrames = "no-frames"
        case willNotFit = "will-not-fit"
        /// The target has no form for stills, or for animations.
        case notTaken = "not-taken"
        /// A side file cannot be understood.
        case invalidWords = "invalid-words"
        /// A template requests something impossible.
        case invalidTemplate = "invalid-template"
        /// A template shows characters in no font.
        case unknownCharacters = "unknown-characters"
        case notRegularFile = "not-regular-file"
        case unreadable
        case verificationFailed = "verification-failed"
        /// The sticker is made, and waits until an editor publishes it.
        case needsReview = "needs-review"
        case retriesExhausted = "retries-exhausted"

        /// Also accepts the name that `out-of-memory` had up to release 0.4.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let name = try container.decode(String.self)
            guard let reason = Reason(rawValue: name == "too-big" ? "out-of-memory" : name) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "no reason is called \(name)")
            }
            self = reason
        }
    }

    /// The rule.
    public var reason: Reason
    /// One sentence in lower case: the problem of the file, without its name.
    public var detail: String
    /// The measured value, with its unit.
    public var measured: String?
    /// The allowed value, with the configuration key that sets it.
    public var limit: String?
    /// The remedy.
    public var remedy: String

    /// Creates a refusal; see the properties for the form of the texts.
    public init(
        _ reason: Reason, _ detail: String, measured: String? = nil, limit: String? = nil,
        remedy: String
    ) {
        self.reason = reason
        self.detail = detail
        self.measured = measured
        self.limit = limit
        self.remedy = remedy
    }
}

extension Refusal.Reason {
    /// Whether the same bytes under the same settings are always refused, not only when memory, time or the system are
    /// short.
    public var isFinal: Bool {
        switch self {
        case .emptyFile, .unsupportedFormat, .unsupportedVariant, .misnamed, .conflictCopy,
            .truncated, .corrupt, .badDimensions, .tooManyBytes, .tooManyPixels, .tooManyFrames,
            .tooLong, .noFrames,
            .willNotFit, .notTaken, .invalidWords, .invalidTemplate, .notRegularFile,
            .needsReview:
            true
        case .tooComplex, .decoderCrashed, .daemonCrashed, .outOfMemory, .unknownCharacters,
            .unreadable, .verificationFailed, .retriesExhausted:
            false
        }
    }
}

extension Refusal {
    /// An empty file.
    public static let emptyFile = Refusal(
        .emptyFile, "the file has no content", measured: "0 B", limit: "at least 1 B",
        remedy: "copy the file again")
}

/// Why a job ended without a sticker although the file is fine.
public enum CancelReason: String, Sendable, Codable, CaseIterable {
    /// A newer version of the file took its place.
    case superseded
    /// The file vanished before it was read.
    case vanished
    /// An operator dismissed the refused file.
    case dismissed
    /// A template shows the weather, which is unknown.
    case unknownWeather = "unknown-weather"
}

/// An oddity of an accepted file.
public struct Warning: Hashable, Sendable, Codable {
    /// Its code, which can be searched for: for example `name-mismatch`.
    public var code: String
    /// One sentence.
    public var detail: String

    /// Creates a warning; both texts are lower case.
    public init(_ code: String, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}
