/// One fault of a hand-written JSON file.
public struct JSONFault: Hashable, Sendable, CustomStringConvertible {
    /// The JSON path, for example `sticker.marginPixels`; empty for the whole file.
    public var path: String
    /// The problem, with the value found and the allowed ones.
    public var message: String
    /// The value found and the allowed ones, for a wrong value.
    public var figures: Figures?

    /// A wrong value and the allowed ones.
    public struct Figures: Hashable, Sendable {
        /// The value, as JSON.
        public var found: String
        /// The allowed values, in words.
        public var allowed: String
    }

    /// Creates a fault other than a wrong value.
    public init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    package init(path: String, found: String, allowed: String) {
        self.init(path: path, message: "is \(found), allowed is \(allowed)")
        figures = Figures(found: found, allowed: allowed)
    }

    /// Path and message.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// The findings of reading a file.
package final class Findings {
    package struct Located {
        package var fault: JSONFault
        /// Where the value or its key begins, in bytes from the start of the text.
        package var place: Int
        /// The index of the faulty list item; `nil` for the whole value.
        package var item: Int?
    }

    /// How many are kept; later ones are only counted.
    private let faultsMax: Int
    /// The first faults, in the order of the text.
    package private(set) var located: [Located] = []
    /// How many faults there are, kept or not.
    package private(set) var count = 0
    /// The values lost to faults: the keys that lead to each, from the root. At an object, its missing members.
    package private(set) var gaps: [[String]] = []
    /// Values that are interpreted otherwise than written.
    package var warnings: [JSONFault] = []
    /// The JSON paths of keys left to their defaults; `nil` if not requested.
    package var absent: [String]? = []

    /// Creates findings that keep some faults.
    package init(keeping faultsMax: Int = 100) { self.faultsMax = faultsMax }

    /// The first faults, in the order of the text.
    package var faults: [JSONFault] { located.map(\.fault) }

    /// The positions of the faults in the text that was read; of a faulty item, its own.
    package func places(in text: [UInt8]) -> [Int] {
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

    /// Adds a fault of the value at `place` in the text, or of one item of the list there; without `gap` no further
    /// value is lost.
    package func add(
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
