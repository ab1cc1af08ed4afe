import FoundationEssentials
import Glibc
public import StickerConfiguration
import StickerContainers
public import StickerValues

/// Asks workers about finished files: the calling process decodes no picture, whatever its origin.
public struct WorkerQuestions: Sendable {
    private let program: String
    private let worker: WorkerConfiguration
    private let limits: DecodeLimits

    /// Creates questions to a program.
    ///
    /// - Parameters:
    ///   - program: the path of `stickerd-worker`.
    ///   - worker: whether the worker may run without confinement.
    ///   - limits: of each file, and of the time for an answer.
    public init(program: String, worker: WorkerConfiguration, limits: DecodeLimits) {
        self.program = program
        self.worker = worker
        self.limits = limits
    }

    /// Draws a page of a contact sheet.
    ///
    /// - Parameters:
    ///   - page: its contents.
    ///   - source: the files of its stickers, one after another.
    /// - Returns: a PNG, and the files that could not be read.
    /// - Throws: `WorkerUnavailable` if the page cannot be made.
    public func draw(
        _ page: SheetPage, _ source: SourceBytes
    ) throws -> (png: [UInt8], faults: [SheetPage.Fault]) {
        try draw(page, answer("the sheet was not drawn") { try letters(of: page) }, source)
    }

    func draw(
        _ page: SheetPage, _ letters: [String: DrawnText], _ source: SourceBytes
    ) throws -> (png: [UInt8], faults: [SheetPage.Fault]) {
        try answer("the sheet was not drawn") {
            let order = try SheetOrder(page: page, letters: letters, limits: limits).json()
            let (reply, files) = try ask(order, of: source, SheetReply.self, files: 1)
            let png = try files[0].sealedBytes(atMost: allowance.fileBytes, "the page")
            guard reply.faults.count <= page.cells.count,
                case .picture(.png) = ImageFormat.sniff(SourceBytes(png))
            else { throw ReplyAudit.Fault(detail: "the page is not a PNG") }
            return (png, reply.faults)
        }
    }

    /// Decodes files.
    ///
    /// - Parameter files: the bytes of each.
    /// - Returns: the looks of each, in order.
    /// - Throws: `WorkerUnavailable` if none are known: one of the files may have ended the worker.
    public func look(at files: [[UInt8]]) throws -> [PictureLook] {
        try answer("the files were not checked") {
            let order = try LookOrder(sizes: files.map(\.count), limits: limits).json()
            let source = SourceBytes(Array(files.joined()))
            let (reply, _) = try ask(order, of: source, LookReply.self, files: 0)
            guard reply.looks.count == files.count,
                reply.looks.allSatisfy({ $0.appearance?.isPlausible ?? true })
            else { throw ReplyAudit.Fault(detail: "the reply is not about these files") }
            return reply.looks
        }
    }

    /// The words of a page, drawn.
    private func letters(of page: SheetPage) throws -> [String: DrawnText] {
        let words = page.words
        let maker = TextMaking(
            program: try .find(beside: program), worker: worker, limits: limits)
        return Dictionary(
            uniqueKeysWithValues: zip(words, try maker.draw(words.map(SheetPage.text(of:)))))
    }

    private var allowance: WorkerAllowance {
        WorkerAllowance(
            limits, targets: [], isFull: true, isUnsandboxedAllowed: worker.unsandboxed)
    }

    private func answer<Answer>(_ what: String, _ body: () throws -> Answer) throws -> Answer {
        do {
            return try body()
        } catch let fault as ReplyAudit.Fault {
            throw WorkerUnavailable(description: "\(what): \(fault.detail)")
        } catch {
            throw WorkerUnavailable(description: "\(what): \(error)")
        }
    }

    /// Runs a worker for one order whose reply comes with `count` files.
    private func ask<Reply: Decodable>(
        _ order: [UInt8], of source: SourceBytes, _ type: Reply.Type, files count: Int
    ) throws -> (Reply, [MemoryFile]) {
        let process = try WorkerProcess(
            program: program, source: source, order: order, allowance: allowance)
        let end = process.wait(WorkerTime(limits)) { _ in false }
        guard end.kind == .ended, end.exitCode == 0, let files = end.inbox.reply,
            files.count == 1 + count
        else {
            let words = end.lastWords.isEmpty ? "the worker ended without a reply" : end.lastWords
            throw ReplyAudit.Fault(detail: end.overdue == nil ? words : "it took too long")
        }
        let text = try files[0].sealedBytes(atMost: WorkerMessage.replyBytesMax, "the reply")
        guard let reply = try? JSONDecoder().decode(type, from: Data(text)) else {
            throw ReplyAudit.Fault(detail: "the reply is not one of this release")
        }
        return (reply, Array(files.dropFirst()))
    }
}
