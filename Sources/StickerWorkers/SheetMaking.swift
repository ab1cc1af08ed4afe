import FoundationEssentials
import Glibc
import StickerContainers
public import StickerModel

/// Draws pages of contact sheets in `stickerd-worker`: no picture is decoded in the calling process, wherever it is from.
public struct SheetMaking: Sendable {
    private let program: String
    private let worker: WorkerConfiguration
    private let limits: DecodeLimits

    /// Draws with a program.
    ///
    /// - Parameters:
    ///   - program: the path of `stickerd-worker`.
    ///   - worker: whether it may work without confinement.
    ///   - limits: those of each file, and of the time for a page.
    public init(program: String, worker: WorkerConfiguration, limits: DecodeLimits) {
        self.program = program
        self.worker = worker
        self.limits = limits
    }

    /// Draws a page.
    ///
    /// - Parameters:
    ///   - page: what is on it.
    ///   - source: the files of its stickers, one behind the other.
    /// - Returns: a PNG, and the files that could not be read.
    /// - Throws: `WorkerUnavailable` if there is no page.
    public func draw(
        _ page: SheetPage, _ source: SourceBytes
    ) throws -> (png: [UInt8], faults: [SheetPage.Fault]) {
        let order = SheetOrder(page: page, limits: limits)
        let allowance = WorkerAllowance(
            limits, targets: [], isFull: true, isUnsandboxedAllowed: worker.unsandboxed)
        do {
            let process = try WorkerProcess(
                program: program, source: source, order: try order.json(), allowance: allowance)
            let end = process.wait(until: .now + .seconds(limits.wallSecondsMax)) { false }
            return try contents(of: end, page, bytesMax: allowance.fileBytes)
        } catch let fault as ReplyAudit.Fault {
            throw WorkerUnavailable(description: "the sheet was not drawn: \(fault.detail)")
        } catch {
            throw WorkerUnavailable(description: "the sheet was not drawn: \(error)")
        }
    }

    private func contents(
        of end: WorkerEnd, _ page: SheetPage, bytesMax: Int
    ) throws -> (png: [UInt8], faults: [SheetPage.Fault]) {
        guard end.kind == .ended, end.exitCode == 0, let files = end.inbox.reply, files.count == 2
        else {
            let words = end.lastWords.isEmpty ? "the worker ended without a reply" : end.lastWords
            throw ReplyAudit.Fault(detail: end.kind == .overdue ? "it took too long" : words)
        }
        let text = try files[0].sealedBytes(atMost: WorkerMessage.replyBytesMax, "the reply")
        guard let reply = try? JSONDecoder().decode(SheetReply.self, from: Data(text)),
            reply.faults.count <= page.cells.count
        else { throw ReplyAudit.Fault(detail: "the reply is not one of this release") }
        let png = try files[1].sealedBytes(atMost: bytesMax, "the page")
        guard case .picture(.png) = ImageFormat.sniff(SourceBytes(png)) else {
            throw ReplyAudit.Fault(detail: "the page is no PNG")
        }
        return (png, reply.faults)
    }
}
