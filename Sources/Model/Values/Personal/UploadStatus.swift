/// The result of an upload: a small file that the daemon writes below the private folder, and `stickerd-web` reads.
/// Until it exists, the upload waits.
public struct UploadStatus: Hashable, Sendable, Codable {
    /// The outcome.
    public enum State: String, Sendable, Codable {
        /// It is a sticker.
        case ready
        /// It is refused.
        case refused
    }

    /// One file of the sticker.
    public struct File: Hashable, Sendable, Codable {
        /// Its purpose.
        public var role: StickerFile.Role
        /// Its format.
        public var format: ImageFormat
        /// Its size in pixels.
        public var size: PixelSize
        /// Its size in bytes.
        public var bytes: Int
        /// The hash of its content, which determines its path.
        public var sha256: ContentHash
    }

    /// The version of the format.
    public var version = 1
    /// The outcome.
    public var state: State
    /// Whether the sticker moves; `false` if there is none.
    public var animated = false
    /// Its files, the sticker itself first; empty without a sticker.
    public var files: [File] = []
    /// The refusal, without a sticker.
    public var refusal: Refusal?

    /// Creates the status of a sticker.
    public init(ready product: StickerProduct) {
        state = .ready
        animated = product.animated
        files = product.files.map {
            File(
                role: $0.role, format: $0.format, size: $0.size, bytes: $0.bytes,
                sha256: $0.sha256)
        }
    }

    /// Creates the status of a refused upload, in words for its user.
    public init(refused refusal: Refusal?) {
        state = .refused
        self.refusal = refusal?.forUsers
    }
}

extension UploadStatus {
    /// The folder with a folder for each user, which holds a file for each upload. No category begins with `_`.
    public static let folder = "_uploads"

    /// The path of an upload's status file.
    ///
    /// - Parameters:
    ///   - file: the file below the drop: `<user>/<name>`.
    ///   - folder: the private folder.
    /// - Returns: its path.
    public static func path(of file: String, in folder: String) -> String {
        "\(folder)/\(Self.folder)/\(file).json"
    }

    /// The id of an upload, from the name of its file.
    ///
    /// - Returns: `nil` if no server writes such a name.
    public static func id(of name: some StringProtocol) -> String? {
        String(name).wholeMatch(of: /(u[0-9a-f]{24})\.[a-z]{3,5}/).map { String($0.1) }
    }

    /// A user of uploads: the name of a folder, and the id of a category.
    public static func isUser(_ name: some StringProtocol) -> Bool {
        (1...40).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
            } && name.utf8.first != 0x5F
    }
}
