import StickerConfiguration
import StickerValues

extension WhatsApp {
    /// The rules of its validators that a manifest can show; `WhatsAppValidator` judges finished folders.
    /// The target is not used: the limits are those of its code.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        var findings =
            texts(of: pack) + pack.emojiFindings(atMost: Limits.emojisMax, missing: "V10")
            + pack.spokenTextFindings(
                atMostUTF16: Limits.accessibilityTextMax(moves: pack.kind == .moving))
        if pack.stickers.count < Limits.stickersMin {
            findings.append(
                Finding(
                    "V09", pack: pack.identifier, "the pack has too few stickers",
                    measured: pack.stickers.count.counted("sticker", "stickers"),
                    limit: "\(Limits.stickersMin) to \(Limits.stickersMax)",
                    remedy: pack.kind.adding(
                        Limits.stickersMin - pack.stickers.count, to: pack.category)))
        }
        if pack.stickers.count > Limits.stickersMax {
            findings.append(
                Finding(
                    "V09", pack: pack.identifier, "the pack has too many stickers",
                    measured: pack.stickers.count.counted("sticker", "stickers"),
                    limit: "\(Limits.stickersMin) to \(Limits.stickersMax)",
                    remedy: "take \(pack.stickers.count - Limits.stickersMax) out"))
        }
        for sticker in pack.stickers {
            findings += picture(of: sticker, in: pack)
        }
        return findings
    }

    private func texts(of pack: Pack) -> [Finding] {
        var findings = pack.publisherFindings(missing: "V03")
        let category = pack.category
        for (what, text) in [("title", pack.title), ("publisher", pack.publisher ?? "")]
        where text.utf16.count > Limits.nameMax {
            findings.append(
                Finding(
                    "\(what)-cut", .warning, pack: pack.identifier, "the \(what) is cut",
                    measured: "\(text.utf16.count) UTF-16 units", limit: "\(Limits.nameMax)",
                    remedy: "\(stickerctl: "set \(category) --category --\(what) TEXT")"))
        }
        if pack.tray == nil {
            findings.append(
                Finding(
                    "V03", pack: pack.identifier, "the category has no picture of its own",
                    remedy: "wait until its stickers are published, or add a file cover.png"))
        }
        findings += WhatsAppLinks(pack.links).leftOut.map { link in
            Finding(
                "link-left-out", .warning, pack: pack.identifier, "links.\(link.key) is left out",
                measured: link.value, limit: link.limit, remedy: "correct it in category.json")
        }
        return findings
    }

    private func picture(of sticker: PackSticker, in pack: Pack) -> [Finding] {
        let file = sticker.picture
        func fault(
            _ rule: String, _ detail: String, _ measured: String, _ limit: String, _ remedy: String
        ) -> Finding {
            Finding(
                rule, pack: pack.identifier, sticker: sticker.identifier,
                file: sticker.source, detail, measured: measured, limit: limit, remedy: remedy)
        }
        var findings: [Finding] = []
        let bytesMax = file.moves ? Limits.movingBytesMax : Limits.stillBytesMax
        if file.bytes > bytesMax {
            findings.append(
                fault(
                    "V12", "the file is too large", "\(file.bytes.grouped) B",
                    "\(bytesMax.grouped) B",
                    "lower sticker.\(file.moves ? "animated" : "still")BytesMax in config.json"))
        }
        if file.format != .webp || file.width != Limits.side || file.height != Limits.side {
            findings.append(
                fault(
                    "V13", "the file has another form",
                    "\(file.format.name) \(file.width)x\(file.height)", "WebP 512x512",
                    "remove targets.whatsapp from config.json"))
        }
        if let milliseconds = file.durationMilliseconds, milliseconds > Limits.millisecondsMax {
            findings.append(
                fault(
                    "V14", "the animation plays too long", "\(milliseconds) ms",
                    "\(Limits.millisecondsMax) ms",
                    "\(stickerctl: "redo \(sticker.identifier) --too-long=trim")"))
        }
        return findings
    }
}
