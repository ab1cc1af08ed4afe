public import StickerValues

/// Why decoding or encoding failed.
public struct CodecError: Error, Hashable, Sendable {
    /// The kind of error; it decides the reason of a refusal.
    public enum Code: Sendable, Hashable {
        /// The data ends before the picture does.
        case truncated
        /// The data breaks the rules of its format.
        case malformed
        /// A valid variant of the format that is not supported.
        case unsupported
        /// A side is 0 or above the limit.
        case badDimensions
        /// Too many pixels in a frame or in all of them.
        case tooManyPixels
        /// Too many frames.
        case tooManyFrames
        /// Too many scans, or too much memory for the decoder.
        case tooComplex
        /// More time than `WorkBudget` has.
        case outOfTime
        /// An animation without a frame that can be shown.
        case noFrames
        /// The system has no memory left.
        case outOfMemory
        /// An encoder failed; a bug of ours.
        case encoder
    }

    /// The kind of error.
    public var code: Code
    /// The format that was read or written.
    public var format: ImageFormat
    /// One lower-case clause for people, in the library's words if there are any.
    public var detail: String
    /// The value that broke a limit, with its unit.
    public var measured: String?
    /// The limit, with the configuration key that sets it: `16384 px (limits.sidePixelsMax)`.
    public var limit: String?

    /// Creates an error about a picture of `format`.
    public init(
        _ code: Code, _ format: ImageFormat, _ detail: String, measured: String? = nil,
        limit: String? = nil
    ) {
        self.code = code
        self.format = format
        self.detail = detail
        self.measured = measured
        self.limit = limit
    }
}

extension CodecError {
    /// A library's message, which may quote the file: in lower case, without control characters.
    package static func clause(_ message: UnsafePointer<CChar>) -> String {
        let words = String(cString: message).unicodeScalars
            .map { $0.value < 32 || $0.value == 127 ? " " : Character($0) }
        return String(words.prefix(300)).lowercased()
    }
}
