public import CoreMetrics

/// The declaration of a metric: its name, its meaning, its labels.
///
/// swift-metrics has only names and labels. Prometheus also requires a description and a type for each name, so names
/// are declared once, and every measurement goes through its declaration.
public struct MetricFamily: Hashable, Sendable {
    /// The type of the metric.
    public enum Kind: Hashable, Sendable {
        /// A number that only grows.
        case counter
        /// The current value.
        case gauge
        /// Observations, counted by these ascending upper bounds, and by one without a bound.
        case histogram([Double])
    }

    /// The type of the metric.
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
    ///   - kind: the type of the metric.
    ///   - name: letters, digits and underscores.
    ///   - help: one sentence for people.
    ///   - labels: letters, digits and underscores; not `le`, which histograms use.
    public init(_ kind: Kind, _ name: String, _ help: String, labels: [String] = []) {
        precondition(Self.isName(name), "\(name) is no name of a metric")
        precondition(labels.allSatisfy(Self.isLabel), "\(labels) are no names of labels")
        if case .histogram(let bounds) = kind {
            precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bounds ascend")
            precondition(!bounds.isEmpty && bounds.allSatisfy(\.isFinite), "bounds are numbers")
        }
        (self.kind, self.name, self.help, self.labels) = (kind, name, help, labels)
    }

    /// Whether Prometheus accepts `text` as the name of a metric. Colons are for recording rules.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !isDigit(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || isDigit($0) }
    }

    /// Whether Prometheus accepts `text` as the name of a label that a program may set.
    static func isLabel(_ text: String) -> Bool {
        isName(text) && !text.hasPrefix("__") && text != "le"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }
}

// Measurements go through swift-metrics, with the values of the labels in the order of their names.

extension MetricFamily {
    /// The counter with these label values.
    public func counter(_ values: String..., in factory: any MetricsFactory) -> Counter {
        Counter(label: name, dimensions: dimensions(values), factory: factory)
    }

    /// The counter with these label values, for fractional amounts.
    public func sum(_ values: String..., in factory: any MetricsFactory) -> FloatingPointCounter {
        FloatingPointCounter(label: name, dimensions: dimensions(values), factory: factory)
    }

    /// The gauge with these label values.
    public func gauge(_ values: String..., in factory: any MetricsFactory) -> Meter {
        Meter(label: name, dimensions: dimensions(values), factory: factory)
    }

    /// The histogram with these label values, for values other than times.
    public func histogram(_ values: String..., in factory: any MetricsFactory) -> Recorder {
        Recorder(label: name, dimensions: dimensions(values), factory: factory)
    }

    /// The histogram with these label values, for times in seconds.
    public func timer(_ values: String..., in factory: any MetricsFactory) -> Timer {
        Timer(label: name, dimensions: dimensions(values), factory: factory)
    }

    private func dimensions(_ values: [String]) -> [(String, String)] {
        precondition(values.count == labels.count, "\(name) has the labels \(labels)")
        return Array(zip(labels, values))
    }
}
