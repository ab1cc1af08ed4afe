import CLinux
import FoundationEssentials
import Glibc
public import StickerValues

/// The worker's side of the conversation.
public struct WorkerOutbox: Sendable {
    private let socket: Int32

    /// Creates an outbox that sends through `socket`.
    public init(socket: Int32) { self.socket = socket }

    /// Reports that the worker is locked and about to read the picture.
    public func tellBeginning() { _ = send([WorkerMessage.begun.rawValue], []) }

    /// Reports a finished step, so that the owner knows the last one if the worker crashes. It does not matter if the
    /// message cannot be sent.
    public func tell(step: StepEntry) {
        let name = step.step.utf8.prefix(WorkerMessage.bytesMax - 1)
        _ = send([WorkerMessage.step.rawValue] + name, [])
    }

    /// Sends the reply and the finished files.
    ///
    /// - Throws: an error with a description for the operator, about a shortage of the system.
    public func send(_ report: MakeReport, missingLayers: [String]) throws {
        let reply = try WorkReply(report, missingLayers: missingLayers).json()
        // A refusal has no files.
        let made = (try? report.result.get())?.files.map(\.bytes) ?? []
        try send(files: [reply] + made)
    }

    /// Sends a page of a contact sheet, and the files that could not be read.
    ///
    /// - Throws: an error with a description for the operator, about a shortage of the system.
    public func send(sheet png: [UInt8], faults: [SheetPage.Fault]) throws {
        try send(files: [Array(try JSONEncoder().encode(SheetReply(faults: faults))), png])
    }

    /// Sends the looks of finished files, in order.
    ///
    /// - Throws: an error with a description for the operator, about a shortage of the system.
    public func send(looks: [PictureLook]) throws {
        try send(files: [Array(try JSONEncoder().encode(LookReply(looks: looks)))])
    }

    /// Sends the results of texts, in order, at most `WorkerMessage.filesMax` of them.
    ///
    /// - Throws: an error with a description for the operator, about a shortage of the system.
    public func send(texts outcomes: [TextOutcome]) throws {
        let reply = TextReply(
            texts: outcomes.map { outcome in
                switch outcome {
                case .drawn(let size, let scale, let rise, _, let unknown):
                    .init(size: size, scale: scale, rise: rise, unknown: unknown?.text)
                case .faulty(let message): .init(fault: message)
                }
            })
        let pixels = outcomes.compactMap { outcome in
            if case .drawn(_, _, _, let rows, _) = outcome { rows } else { nil }
        }
        try send(files: [Array(try JSONEncoder().encode(reply))] + pixels)
    }

    private func send(files contents: [[UInt8]]) throws {
        let files = try contents.map { try MemoryFile($0) }
        // They are closed when released, which the optimiser may do before they are sent.
        try withExtendedLifetime(files) {
            guard send([WorkerMessage.reply.rawValue], files.map(\.descriptor)) else {
                throw WorkerTrouble("sendmsg")
            }
        }
    }

    private func send(_ bytes: [UInt8], _ descriptors: [Int32]) -> Bool {
        clinux_send(socket, bytes, bytes.count, descriptors, Int32(descriptors.count)) == 0
    }
}
