/// One fault of a JSON file that people write.
public struct JSONFault: Hashable, Sendable, CustomStringConvertible {
    /// The JSON path, for example `sticker.marginPixels`; empty for the whole file.
    public var path: String
    /// What is wrong, with the value found and what is allowed.
    public var message: String
    /// The value found, and what is allowed in its place, if that is what is wrong.
    public var figures: Figures?

    /// A value that is not allowed, and what is.
    public struct Figures: Hashable, Sendable {
        /// The value, as JSON.
        public var found: String
        /// What is allowed, in words.
        public var allowed: String
    }

    /// Creates a fault that is no wrong value.
    public init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    init(path: String, found: String, allowed: String) {
        self.init(path: path, message: "is \(found), allowed is \(allowed)")
        figures = Figures(found: found, allowed: allowed)
    }

    /// For people: path and message.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// What is found while a file is read.
final class Findings {
    /// More are only counted.
    static let faultsMax = 100

    private(set) var faults: [JSONFault] = []
    /// How many faults there are, kept or not.
    private(set) var count = 0
    /// The values that faults keep from being taken: the keys that lead to each, from the root. At an object, its
    /// missing members.
    private(set) var gaps: [[String]] = []
    /// What is taken otherwise than it stands there.
    var warnings: [JSONFault] = []
    /// The JSON paths of keys that the file leaves to their defaults; `nil` if nobody asks for them.
    var absent: [String]? = []

    /// Adds a fault; without `gap` it costs no further value.
    func add(_ fault: @autoclosure () -> JSONFault, gap: [String]?) {
        count += 1
        if let gap { gaps.append(gap) }
        if faults.count < Self.faultsMax { faults.append(fault()) }
    }
}
