public import StickerValues

/// All faults of a configuration file together.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// At least one.
    public var faults: [JSONFault]
    /// Whether the file could not be read for a temporary reason; another start may succeed.
    public var mayPass = false

    /// Creates the error with at least one fault.
    public init(faults: [JSONFault], mayPass: Bool = false) {
        self.faults = faults
        self.mayPass = mayPass
    }

    /// One fault per line.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}
