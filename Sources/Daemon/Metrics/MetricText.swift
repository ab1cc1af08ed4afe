/// Lines of Prometheus' text format, version 0.0.4:
/// https://prometheus.io/docs/instrumenting/exposition_formats/
struct MetricText {
    private(set) var text = ""

    /// Adds a family with all its series; nothing if it has none.
    mutating func add(
        _ family: MetricFamily, _ series: [(values: [String], reading: MetricSeries.Reading)]
    ) {
        guard !series.isEmpty else { return }
        text += "# HELP \(family.name) \(Self.escaped(family.help))\n"
        text += "# TYPE \(family.name) \(family.kind.word)\n"
        for (values, reading) in series {
            let labels = Array(zip(family.labels, values))
            if case .histogram(let bounds) = family.kind {
                add(family.name, labels, reading, bounds)
            } else {
                line(family.name, labels, reading.number)
            }
        }
    }

    /// Adds the buckets of a histogram; each counts everything up to its bound.
    private mutating func add(
        _ name: String, _ labels: [(String, String)], _ reading: MetricSeries.Reading,
        _ bounds: [Double]
    ) {
        var count = 0
        for (bound, observed) in zip(bounds + [.infinity], reading.counts) {
            count += observed
            line("\(name)_bucket", labels + [("le", Self.number(bound))], Double(count))
        }
        line("\(name)_sum", labels, reading.number)
        line("\(name)_count", labels, Double(count))
    }

    private mutating func line(_ name: String, _ labels: [(String, String)], _ value: Double) {
        let inner = labels.map { "\($0.0)=\"\(Self.escaped($0.1, isValue: true))\"" }
        let all = inner.isEmpty ? "" : "{\(inner.joined(separator: ","))}"
        text += "\(name)\(all) \(Self.number(value))\n"
    }

    /// Escapes backslashes and line ends; in values of labels, quotes too.
    static func escaped(_ text: String, isValue: Bool = false) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where isValue: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A number as Go reads it; whole numbers without a point.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}

extension MetricFamily.Kind {
    fileprivate var word: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
