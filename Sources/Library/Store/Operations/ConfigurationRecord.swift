public import StickerValues

/// The configuration that the daemon runs with, kept for tools.
public struct ConfigurationRecord: Hashable, Sendable, Codable {
    /// The file; absent for the built-in defaults.
    public var path: String?
    /// When it was read.
    public var loadedAt: Timestamp
    /// Every key with its value.
    public var settings: [String: String]
    /// The faults of a newer file, which therefore is not in force.
    public var faults: [String] = []

    /// Creates the record of a configuration read at `loadedAt`.
    public init(path: String?, loadedAt: Timestamp, settings: [String: String]) {
        self.path = path
        self.loadedAt = loadedAt
        self.settings = settings
    }
}
