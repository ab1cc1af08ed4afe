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
    /// A fault and where it stands.
    struct Located {
        var fault: JSONFault
        /// Where the value or its key begins, in bytes from the start of the text.
        var place: Int
        /// Which item of the list there it is; `nil` if it is the whole.
        var item: Int?
    }

    /// How many are kept; those that stand behind them are only counted.
    private let faultsMax: Int
    /// The first faults, in the order of the text.
    private(set) var located: [Located] = []
    /// How many faults there are, kept or not.
    private(set) var count = 0
    /// The values that faults keep from being taken: the keys that lead to each, from the root. At an object, its
    /// missing members.
    private(set) var gaps: [[String]] = []
    /// What is taken otherwise than it stands there.
    var warnings: [JSONFault] = []
    /// The JSON paths of keys that the file leaves to their defaults; `nil` if nobody asks for them.
    var absent: [String]? = []

    /// Creates findings that keep some faults.
    init(keeping faultsMax: Int = 100) { self.faultsMax = faultsMax }

    /// The first faults, in the order of the text.
    var faults: [JSONFault] { located.map(\.fault) }

    /// Where the faults stand in the text that was read, those of items where these begin.
    func places(in text: [UInt8]) -> [Int] {
        let lists = Dictionary(grouping: located.filter { $0.item != nil }, by: \.place)
        let items = lists.map { place, faults in
            let items = Set(faults.compactMap(\.item))
            return (place, JSONParser.places(ofItems: items, ofListAt: place, in: text))
        }
        let places = Dictionary(uniqueKeysWithValues: items)
        return located.map { fault in
            fault.item.flatMap { places[fault.place]?[$0] } ?? fault.place
        }
    }

    /// Adds a fault of what begins at `place` in the text, or of one item of the list there; without `gap` it costs no
    /// further value.
    func add(
        _ fault: @autoclosure () -> JSONFault, at place: Int, item: Int? = nil, gap: [String]?
    ) {
        count += 1
        if let gap { gaps.append(gap) }
        if located.count == faultsMax {
            guard let last = located.last, place < last.place else { return }
            located.removeLast()
        }
        let next = located.lastIndex { $0.place <= place }.map { $0 + 1 } ?? 0
        located.insert(Located(fault: fault(), place: place, item: item), at: next)
    }
}
