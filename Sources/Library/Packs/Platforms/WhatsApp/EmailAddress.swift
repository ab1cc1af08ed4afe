/// E-mail addresses by Android's `Patterns.EMAIL_ADDRESS`.
enum EmailAddress {
    /// Whether `text` is up to 256 of certain characters, `@`, and labels of a host separated by dots: at least two,
    /// the first of up to 65 characters, the others of up to 26.
    static func isAccepted(_ text: String) -> Bool {
        let parts = text.utf8.split(
            separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, 1...256 ~= parts[0].count,
            parts[0].allSatisfy({ $0.isLetterOrDigit || "+._%-".utf8.contains($0) })
        else { return false }
        let labels = parts[1].split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.enumerated().allSatisfy { isLabel($1, lengthMax: $0 == 0 ? 65 : 26) }
    }

    private static func isLabel(_ label: Substring.UTF8View.SubSequence, lengthMax: Int) -> Bool {
        guard let first = label.first, first.isLetterOrDigit, label.count <= lengthMax else {
            return false
        }
        return label.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
