// Displayed figures: the same in the log, the status line and the tools.

extension Int {
    /// `1 sticker`, `5,000 stickers`.
    public func counted(_ one: String, _ many: String) -> String {
        "\(grouped) \(self == 1 ? one : many)"
    }

    /// `1 needs attention`, `7 need attention`.
    public var needingAttention: String { counted("needs attention", "need attention") }

    /// A number of bytes: `512 B`, `96.4 KB`, `3.1 MB`.
    public var asBytes: String {
        let units: [(size: Double, name: String)] = [(1e9, "GB"), (1e6, "MB"), (1e3, "KB")]
        guard let unit = units.first(where: { Double(magnitude) >= $0.size }) else {
            return "\(self) B"
        }
        let tenths = Int((Double(self) / unit.size * 10).rounded())
        return "\((tenths / 10).grouped).\(tenths.magnitude % 10) \(unit.name)"
    }

    /// A number of seconds, roughly: `8 s`, `3 min`, `2 h 10 min`, `4 d`.
    public var asTime: String {
        switch self {
        case ..<90: "\(self) s"
        case ..<5400: "\((self + 30) / 60) min"
        case ..<172_800 where self % 3600 < 60: "\(self / 3600) h"
        case ..<172_800: "\(self / 3600) h \(self % 3600 / 60) min"
        default: "\(self / 86400) d"
        }
    }
}
