public import CoreMetrics

/// What is known of a metric before anything is measured: its name, what it means, its labels.
///
/// swift-metrics has names and labels alone. Prometheus wants a description and a type for each name, so names are
/// declared once, and everything measured goes through its declaration.
public struct MetricFamily: Hashable, Sendable {
    /// What the number does.
    public enum Kind: Hashable, Sendable {
        /// It only grows.
        case counter
        /// It is as it is now.
        case gauge
        /// Observations, counted by these upper bounds, ascending, and by one that takes all.
        case histogram([Double])
    }

    /// What the number does.
    public let kind: Kind
    /// The name, with its base unit; `_total` at the end of counters.
    public let name: String
    /// One sentence for people.
    public let help: String
    /// The names of the labels. Their values come from small fixed sets, never from files or requests.
    public let labels: [String]

    /// Declares a metric.
    ///
    /// - Parameters:
    ///   - kind: what the number does.
    ///   - name: letters, digits and underscores.
    ///   - help: one sentence for people.
    ///   - labels: letters, digits and underscores; not `le`, which is that of histograms.
    public init(_ kind: Kind, _ name: String, _ help: String, labels: [String] = []) {
        precondition(Self.isName(name), "\(name) is no name of a metric")
        precondition(labels.allSatisfy(Self.isLabel), "\(labels) are no names of labels")
        if case .histogram(let bounds) = kind {
            precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bounds ascend")
            precondition(!bounds.isEmpty && bounds.allSatisfy(\.isFinite), "bounds are numbers")
        }
        (self.kind, self.name, self.help, self.labels) = (kind, name, help, labels)
    }

    /// Whether Prometheus takes `text` as the name of a metric. Colons are for recording rules.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !isDigit(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) }
    }

    /// Whether Prometheus takes `text` as the name of a label that a program may set.
    static func isLabel(_ text: String) -> Bool {
        isName(text) && !text.hasPrefix("__") && text != "le"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
}

// What is measured goes through swift-metrics, with the values of the labels in the order of their names.

extension MetricFamily {
    /// The counter with these values of the labels.
    public func counter(_ values: String..., in factory: any MetricsFactory) -> Counter {
        Counter(label: name, dimensions: dimensions(values), factory: factory)
    }

    /// The counter with these values of the labels, for parts of units.
    public func sum(_ values: String..., in factory: any MetricsFactory) -> FloatingPointCounter {
        FloatingPointCounter(label: name, dimensions: dimensions(values), factory: factory)
    }

    /// The gauge with these values of the labels.
    public func gauge(_ values: String..., in factory: any MetricsFactory) -> Meter {
        Meter(label: name, dimensions: dimensions(values), factory: factory)
    }

    /// The histogram with these values of the labels, for what is no time.
    public func histogram(_ values: String..., in factory: any MetricsFactory) -> Recorder {
        Recorder(label: name, dimensions: dimensions(values), factory: factory)
    }

    /// The histogram with these values of the labels, for times; its unit is the second.
    public func timer(_ values: String..., in factory: any MetricsFactory) -> Timer {
        Timer(label: name, dimensions: dimensions(values), factory: factory)
    }

    private func dimensions(_ values: [String]) -> [(String, String)] {
        precondition(values.count == labels.count, "\(name) has the labels \(labels)")
        return Array(zip(labels, values))
    }
}
