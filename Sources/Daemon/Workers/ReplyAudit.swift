import FoundationEssentials
import StickerContainers
import StickerValues

/// Reads a worker's reply without trusting any of it: a worker taken over by a hostile picture may send anything.
struct ReplyAudit {
    /// The fault of a reply.
    struct Fault: Error { let detail: String }

    let order: WorkOrder
    let fileBytesMax: Int

    /// Reads the reply and the files.
    ///
    /// - Throws: `Fault` at the first violation.
    func report(of received: [MemoryFile]) throws -> (report: MakeReport, missingLayers: [String]) {
        guard let first = received.first else { throw Fault(detail: "the reply is missing") }
        let text = try first.sealedBytes(atMost: WorkerMessage.replyBytesMax, "the reply")
        guard let reply = try? WorkReply(json: Data(text)) else {  // the wording does not matter
            throw Fault(detail: "the reply is not one of this release")
        }
        let files = Array(received.dropFirst())
        try check(reply)
        let layers = Array(reply.missingLayers.prefix(8).map(Self.cut))
        return (
            MakeReport(
                result: try result(reply, files), format: reply.format, log: rebuilt(reply.log),
                warnings: reply.warnings.map { Warning(Self.cut($0.code), Self.cut($0.detail)) }),
            layers
        )
    }

    private func result(
        _ reply: WorkReply, _ files: [MemoryFile]
    ) throws -> Result<MadeSticker, MakeFailure> {
        switch (reply.sticker, reply.refusal) {
        case (nil, let refusal?):
            guard files.isEmpty else { throw Fault(detail: "files came with a refusal") }
            return .failure(.refused(Self.cut(refusal)))
        case (let sticker?, nil):
            return .success(try made(sticker, files))
        default:
            throw Fault(detail: "the reply has neither a sticker nor a refusal, or both")
        }
    }

    /// Cuts the log to its bounds; that of an honest worker is within them.
    private func rebuilt(_ log: StepLog) -> StepLog {
        var bounded = StepLog()
        for entry in log.entries.prefix(StepLog.entriesMax) {
            bounded.append(
                StepEntry(
                    Self.cut(entry.step), milliseconds: time(entry.milliseconds),
                    cpuMilliseconds: entry.cpuMilliseconds.map(time), entry.detail,
                    fit: entry.fit.map(rebuilt)))
        }
        return bounded
    }

    /// Replaces implausible numbers, as they are stored and shown for years.
    private func rebuilt(_ fit: FitRecord) -> FitRecord {
        let attempts = fit.attempts.map { attempt in
            var attempt = attempt
            attempt.quality = attempt.quality.map { bounded($0, to: 16_777_216) }
            attempt.score = attempt.score.map { bounded($0) }
            attempt.bytes = min(max(0, attempt.bytes), 1 << 40)
            return attempt
        }
        return FitRecord(
            target: Self.cut(fit.target), bytesMax: min(max(0, fit.bytesMax), 1 << 40),
            scoreTarget: fit.scoreTarget.map { bounded($0) }, attempts: attempts)
    }

    private func time(_ milliseconds: Double) -> Double { max(0, bounded(milliseconds, to: 1e9)) }

    private func bounded(_ number: Double, to limit: Double = 1000) -> Double {
        number.isFinite ? min(max(-limit, number), limit) : 0
    }

    private func check(_ reply: WorkReply) throws {
        guard reply.warnings.count <= 100 else { throw Fault(detail: "too many warnings") }
        guard let sticker = reply.sticker else { return }
        let encodings = sticker.files.compactMap(\.encoding)
        for number in encodings.flatMap({ [$0.quality, $0.score] }).compactMap(\.self)
        where !(number >= -1000 && number <= 100) {
            throw Fault(detail: "a quality or score of \(number)")
        }
    }

    private func made(
        _ sticker: MadeSticker, _ files: [MemoryFile]
    ) throws -> MadeSticker {
        guard sticker.files.count == files.count else {
            throw Fault(detail: "\(files.count) files instead of \(sticker.files.count)")
        }
        guard sticker.shortfalls.count <= order.recipe.targets.count else {
            throw Fault(detail: "more shortfalls than targets")
        }
        // Sizes and roles first: they decide what may be read.
        let roles = RoleAudit(order: order, made: sticker)
        try roles.check()
        var made = sticker
        made.shortfalls = sticker.shortfalls.map(Self.cut)
        for (index, file) in files.enumerated() {
            made.files[index].bytes = try file.sealedBytes(
                atMost: bytesMax(of: made.files[index]), made.files[index].role.rawValue)
            try check(made.files[index], bytesMax: roles.bytesMax(of: made.files[index]))
        }
        return made
    }

    /// A still is never larger than its pixels.
    private func bytesMax(of file: MadeFile) -> Int {
        let pixels = 5 * file.size.pixelCount + 65_536
        return file.frames == nil ? min(pixels, fileBytesMax) : fileBytesMax
    }

    /// Checks that the file stays within its limit, and that its container is complete and of a kind that
    /// stickerd makes.
    private func check(_ file: MadeFile, bytesMax: Int?) throws {
        if let limit = bytesMax, file.bytes.count > limit {
            throw Fault(
                detail: "the \(file.role.rawValue) has \(file.bytes.count) B, limit \(limit) B")
        }
        let faults =
            switch file.format {
            case .webp:
                WebPAudit.faults(
                    in: file.bytes, canvas: file.size, frames: file.frames,
                    durationMilliseconds: file.durationMilliseconds)
            case .png:
                PNGAudit.faults(
                    in: file.bytes, size: file.size, frames: file.frames,
                    durationMilliseconds: file.durationMilliseconds)
            case .gif:
                GIFAudit.faults(
                    in: file.bytes, size: file.size, frames: file.frames ?? 1,
                    durationMilliseconds: file.durationMilliseconds)
            case .jpeg, .bmp, .tiff, .avif, .heic, .svg: ["a \(file.format.name) is never made"]
            }
        if let fault = faults.first {
            throw Fault(detail: "the \(file.role.rawValue) \(file.format.rawValue): \(fault)")
        }
    }

    private static func cut(_ shortfall: Shortfall) -> Shortfall {
        var shortfall = shortfall
        shortfall.target = cut(shortfall.target)
        shortfall.detail = cut(shortfall.detail)
        shortfall.limit = shortfall.limit.map(cut)
        shortfall.remedy = shortfall.remedy.map(cut)
        return shortfall
    }

    private static func cut(_ refusal: Refusal) -> Refusal {
        Refusal(
            refusal.reason, cut(refusal.detail), measured: refusal.measured.map(cut),
            limit: refusal.limit.map(cut), remedy: cut(refusal.remedy))
    }

    /// Limits the length of texts for people; control characters are escaped where the texts are shown.
    private static func cut(_ text: String) -> String {
        text.utf8.count <= 2000 ? text : String(decoding: text.utf8.prefix(2000), as: UTF8.self)
    }
}

extension MemoryFile {
    /// The bytes of a file of a reply, after checking that it is sealed and within its size limit.
    ///
    /// - Throws: `ReplyAudit.Fault` that calls it `name`, or `WorkerTrouble`.
    func sealedBytes(atMost bytesMax: Int, _ name: String) throws -> [UInt8] {
        let (count, isSealed) = status
        guard isSealed else { throw ReplyAudit.Fault(detail: "\(name) is not sealed") }
        guard 1...bytesMax ~= count else {
            throw ReplyAudit.Fault(detail: "\(name) has \(count) B")
        }
        let bytes = try bytes(count: count)
        guard bytes.count == count else { throw ReplyAudit.Fault(detail: "\(name) is short") }
        return bytes
    }
}
