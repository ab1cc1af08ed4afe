import FoundationEssentials
import StickerValues

/// Reads the reply of a worker that draws texts, without trusting any of it.
struct TextReplyAudit {
    /// Why a text cannot be drawn, according to the worker.
    struct TextFault: Error { let message: String }

    /// How many texts were ordered.
    let count: Int

    /// Reads the reply and the files.
    ///
    /// - Throws: `ReplyAudit.Fault` at the first violation, or `WorkerTrouble`.
    func texts(of received: [MemoryFile]) throws -> [Result<DrawnText, TextFault>] {
        guard let first = received.first else {
            throw ReplyAudit.Fault(detail: "the reply is missing")
        }
        let json = try first.sealedBytes(atMost: WorkerMessage.replyBytesMax, "the reply")
        // The wording of the error does not matter.
        guard let reply = try? JSONDecoder().decode(TextReply.self, from: Data(json)),
            reply.texts.count == count
        else { throw ReplyAudit.Fault(detail: "the reply is not one of this release") }
        var files = received.dropFirst()
        let texts = try reply.texts.map { text -> Result<DrawnText, TextFault> in
            switch (text.size, text.scale, text.rise, text.fault) {
            case (nil, nil, nil, let fault?): return .failure(TextFault(message: Self.cut(fault)))
            case (let size?, let scale?, let rise?, nil):
                guard let file = files.popFirst() else {
                    throw ReplyAudit.Fault(detail: "the pixels of a text are missing")
                }
                var drawn = try drawn(size, scale, rise, file)
                drawn.unknown = text.unknown.flatMap { UnknownCharacters($0.unicodeScalars) }
                return .success(drawn)
            default: throw ReplyAudit.Fault(detail: "a text is neither drawn nor at fault")
            }
        }
        guard files.isEmpty else { throw ReplyAudit.Fault(detail: "more files than texts") }
        return texts
    }

    private func drawn(
        _ size: PixelSize, _ scale: Double, _ rise: Int, _ file: MemoryFile
    ) throws -> DrawnText {
        guard DrawnText.allows(size) else {
            throw ReplyAudit.Fault(detail: "a text of \(size) pixels")
        }
        guard DrawnText.scales ~= scale else {
            throw ReplyAudit.Fault(detail: "a scale of \(scale)")
        }
        guard (-DrawnText.sideMax...DrawnText.sideMax) ~= rise else {
            throw ReplyAudit.Fault(detail: "a text \(rise) rows above its baseline")
        }
        let bytes = size.pixelCount * 4
        let pixels = try file.sealedBytes(atMost: bytes, "a text")
        guard pixels.count == bytes else {
            throw ReplyAudit.Fault(detail: "\(pixels.count) B for \(size) pixels")
        }
        return DrawnText(size: size, rows: Data(pixels), scale: scale, rise: rise)
    }

    private static func cut(_ text: String) -> String {
        FileName.escaped(String(decoding: text.utf8.prefix(1000), as: UTF8.self))
    }
}
