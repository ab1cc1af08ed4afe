import CLinux
import FoundationEssentials
import Glibc
import StickerPipeline
import StickerSystem
import StickerValues

@testable import StickerWorkers

/// Replies of a worker: the audit meets the JSON and the files of an input as it would meet a worker's.
///
/// An input is a list of parts, each behind its length in three bytes, the first byte the highest; what is
/// missing at the end is empty.
enum FuzzReply {
    static func audit(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        var files: [MemoryFile] = []
        while rest.count >= 3, files.count <= WorkerMessage.filesMax {
            let length = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(3)
            files.append(
                made { () throws(WorkerTrouble) in try MemoryFile(Array(rest.prefix(length))) })
            rest = rest.dropFirst(length)
        }
        let audit = ReplyAudit(order: order, fileBytesMax: 1 << 20)
        // The audit exists to report faults.
        guard let (report, _) = try? audit.report(of: files),
            case .success(let made) = report.result
        else { return }
        precondition(made.files.first?.role == .sticker)
        precondition(made.files.allSatisfy { 1...1 << 20 ~= $0.bytes.count })
        precondition(report.log.entries.count <= StepLog.entriesMax)
    }

    static let order = WorkOrder(
        recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits(), isStickerAlone: false)
}

/// Messages between our own two sides, as inputs.
enum WorkerSeeds {
    /// Writes an order, and replies to real pictures.
    static func write(orderTo order: String, pictures: [String], repliesTo folder: String) throws {
        try Data(FuzzReply.order.json()).write(to: URL(filePath: "\(order)/usual"))
        for (number, path) in pictures.enumerated() {
            let source = SourceBytes(Array(try Data(contentsOf: URL(filePath: path))))
            for isStickerAlone in [true, false] {
                let report = StickerPipeline(isStickerAlone: isStickerAlone).make(
                    source, recipe: FuzzReply.order.recipe, limits: FuzzReply.order.limits,
                    lane: .only)
                var parts = [try WorkReply(report, missingLayers: []).json()]
                if case .success(let made) = report.result { parts += made.files.map(\.bytes) }
                let input = parts.flatMap { part in
                    [16, 8, 0].map { UInt8(truncatingIfNeeded: part.count >> $0) } + part
                }
                let name = "\(folder)/\(number)-\(isStickerAlone)"
                try Data(input).write(to: URL(filePath: name))
            }
        }
    }
}

/// Messages of a worker: each is a byte with its length, one with the number of files that come with it,
/// and so many bytes.
enum FuzzMessages {
    static func receive(_ bytes: UnsafeRawBufferPointer) {
        let file = made { () throws(WorkerTrouble) in try MemoryFile([1]) }
        let pair: DescriptorPair
        do { pair = try DescriptorPair.messages() } catch { fatalError("\(error)") }
        let flags = fcntl(pair.ours.raw, F_GETFL)
        _ = fcntl(pair.ours.raw, F_SETFL, flags | O_NONBLOCK)
        var inbox = WorkerInbox()
        var rest = bytes[...]
        while rest.count >= 2, inbox.nonsense == nil {
            let (length, files) = (Int(rest[rest.startIndex]), Int(rest[rest.startIndex + 1] % 32))
            rest = rest.dropFirst(2)
            let message = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            let descriptors = [Int32](repeating: file.descriptor, count: files)
            _ = clinux_send(pair.theirs.raw, message, message.count, descriptors, Int32(files))
            inbox.take(from: pair.ours)
        }
        precondition(inbox.reply.map { $0.count <= WorkerMessage.filesMax + 1 } ?? true)
        precondition(inbox.lastStep.map { $0.unicodeScalars.allSatisfy { $0.value >= 32 } } ?? true)
    }
}

/// The result of `make`; if it fails, descriptors have leaked.
private func made(_ make: () throws(WorkerTrouble) -> MemoryFile) -> MemoryFile {
    do {
        return try make()
    } catch {
        fatalError("\(error)")
    }
}
