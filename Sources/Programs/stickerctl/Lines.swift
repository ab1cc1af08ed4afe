import StickerReports
import StickerStore
import StickerValues

extension StepEntry {
    /// The lines of one step in a job's log: name, duration, CPU time, numbers. Attempts of a search follow, one per
    /// line.
    var lines: [String] {
        let cpu = cpuMilliseconds.map { "CPU \(Self.shown($0).leftPadded(to: 5))" } ?? ""
        let time = Self.shown(milliseconds).leftPadded(to: 6)
        let head = "  \(step.padded(to: 12)) \(time) ms  \(cpu.padded(to: 9))  "
        let parts = [FileName.escaped(detail)] + (fit?.lines ?? [])
        let blank = String(repeating: " ", count: head.columns)
        return parts.enumerated().flatMap { index, part in
            ((index == 0 ? head : blank) + part).wrapped(indent: head.columns)
        }
    }

    private static func shown(_ milliseconds: Double) -> String {
        milliseconds < 10
            ? "\((milliseconds * 10).rounded() / 10)" : "\(Int(milliseconds.rounded()))"
    }
}

extension Refusal {
    /// The problem, its cause, and the remedy.
    func lines(file: String) -> [String] {
        var why = reason.rawValue
        if let measured { why += "; found \(measured)" }
        if let limit { why += "; allowed \(limit)" }
        return "\(FileName.escaped(file)): \(FileName.escaped(detail))".wrapped(indent: 2)
            + entry("rule", FileName.escaped(why)) + entry("remedy", FileName.escaped(remedy))
    }
}

extension JobRecord {
    /// At most 80 columns: number, state and file, plus the reason if the job ended badly. The reason is whole; of a
    /// long file name the end is shown.
    var line: String {
        let end = needsAttention ? "needs attention" : state.shown
        let what = reason.map { "\(end): \(FileName.escaped($0))" } ?? end
        let head = "\(id)".leftPadded(to: 7) + "  "
        let room = max(34, what.columns)
        return head + colored(what.padded(to: room)) + " "
            + FileName.escaped(file).cutInFront(to: max(12, 79 - head.columns - room))
    }

    private func colored(_ text: String) -> String {
        if needsAttention { return Style.alarming(text) }
        return state.isFinal || state == .executing ? text : Style.waiting(text)
    }
}
