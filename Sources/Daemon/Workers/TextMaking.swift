import FoundationEssentials
import Glibc
import StickerConfiguration
import StickerValues

/// Draws the texts of marks in `stickerd-worker-drawing`: the calling process reads no fonts.
struct TextMaking: Sendable {
    let program: DrawingProgram
    /// Whether the worker may run without confinement.
    let worker: WorkerConfiguration
    /// Of the time and memory of a worker.
    var limits = DecodeLimits()

    /// Texts that cannot be drawn.
    struct Faults: Error, Hashable, CustomStringConvertible {
        /// The fault of one text.
        struct Fault: Hashable, Sendable {
            /// The index among the given texts.
            var index: Int
            /// The fault and its remedy, in one sentence.
            var message: String
        }

        /// All of them, in the order of the texts; at least one.
        let faults: [Fault]

        /// One line for each.
        var description: String {
            faults.map { "text \($0.index + 1): \($0.message)" }.joined(separator: "\n")
        }
    }

    /// Draws `texts`, equal ones once, in one worker unless they are more than it can answer.
    ///
    /// - Returns: one result for each text, in order.
    /// - Throws: `Faults` if some cannot be drawn, or `WorkerUnavailable` if nothing can be drawn.
    func draw(_ texts: [MarkText]) throws -> [DrawnText] {
        let different = texts.enumerated().filter { texts.firstIndex(of: $1) == $0 }.map(\.element)
        var outcomes: [MarkText: Result<DrawnText, TextReplyAudit.TextFault>] = [:]
        for start in stride(from: 0, to: different.count, by: WorkerMessage.filesMax) {
            let part = Array(different[start...].prefix(WorkerMessage.filesMax))
            outcomes.merge(zip(part, try drawn(part))) { first, _ in first }
        }
        let faults = texts.enumerated().compactMap { index, text -> Faults.Fault? in
            guard case .failure(let fault) = outcomes[text] else { return nil }
            return Faults.Fault(index: index, message: fault.message)
        }
        guard faults.isEmpty else { throw Faults(faults: faults) }
        return texts.compactMap { try? outcomes[$0]?.get() }  // there is none that failed
    }

    private func drawn(
        _ texts: [MarkText]
    ) throws -> [Result<DrawnText, TextReplyAudit.TextFault>] {
        var allowance = WorkerAllowance(
            limits, targets: [], isFull: true, isUnsandboxedAllowed: worker.unsandboxed)
        allowance.fontFolder = program.fonts
        do {
            let process = try WorkerProcess(
                program: program.path, source: SourceBytes([]),
                order: try TextOrder(texts: texts).json(), allowance: allowance)
            let end = process.wait(WorkerTime(limits)) { _ in false }
            return try TextReplyAudit(count: texts.count).texts(of: try files(of: end))
        } catch let fault as ReplyAudit.Fault {
            throw WorkerUnavailable(description: "texts were not drawn: \(fault.detail)")
        } catch {
            throw WorkerUnavailable(description: "texts were not drawn: \(error)")
        }
    }

    private func files(of end: WorkerEnd) throws -> [MemoryFile] {
        if end.kind == .ended, end.exitCode == 0, let files = end.inbox.reply { return files }
        throw ReplyAudit.Fault(detail: why(end))
    }

    private func why(_ end: WorkerEnd) -> String {
        let place = end.inbox.lastStep.map { " after \($0)" } ?? ""
        if let overdue = end.overdue { return "it took \(overdue.measured)\(place)" }
        if case .nonsense(let what) = end.kind { return "the worker sent \(what)" }
        if access("\(program.fonts)/fonts.conf", R_OK) != 0 {
            return "the fonts in \(program.fonts) are gone; run fonts.sh of the installation again"
        }
        if end.exitCode == WorkerExit.unconfined {
            return "the kernel cannot confine a worker (\(end.lastWords)); set worker.unsandboxed "
                + "to true to work without confinement"
        }
        guard end.lastWords.isEmpty else { return end.lastWords }
        return end.signal.map { "the worker was ended by signal \($0)\(place)" }
            ?? "the worker ended without a reply\(place)"
    }
}
