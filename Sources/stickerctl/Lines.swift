import FoundationEssentials
import StickerModel

extension StepEntry {
    /// One line of a job's log: name, duration, numbers.
    var line: String {
        let time =
            milliseconds < 10
            ? "\((milliseconds * 10).rounded() / 10)" : "\(Int(milliseconds.rounded()))"
        return "  \(step.padded(to: 12)) \(time.leftPadded(to: 6)) ms  \(FileName.escaped(detail))"
    }
}

extension Refusal {
    /// What, why, and what to do: a line each.
    func lines(file: String) -> [String] {
        var why = "  rule      \(reason.rawValue)"
        if let measured { why += "; found \(measured)" }
        if let limit { why += "; allowed \(limit)" }
        return [
            "\(FileName.escaped(file)): \(FileName.escaped(detail))", FileName.escaped(why),
            "  remedy    \(FileName.escaped(remedy))",
        ]
    }
}

extension String {
    /// Filled up with spaces behind.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// Filled up with spaces in front.
    func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }

    /// At most `width` characters, the last one `…` where some are missing.
    func cut(to width: Int) -> String { count <= width ? self : prefix(width - 1) + "…" }
}

extension String {
    /// At most `width` characters, the first one `…` where some are missing in front.
    func cutInFront(to width: Int) -> String { count <= width ? self : "…" + suffix(width - 1) }
}
