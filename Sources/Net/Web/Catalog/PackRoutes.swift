import StickerHTTP
import StickerValues

/// The packs of a category: files to download, and why others are not ready.
struct PackRoutes: Sendable {
    let packs: PackFolder
    let addresses: PublicAddresses

    /// Answers `/api/categories/ID/packs`. Files and manifests are replaced at different times, so this answer is not
    /// cached.
    func answer(_ category: CategoryFacts) -> Answer {
        .json { json in
            json.objects("platforms", category.platforms) { pack, json in
                json.text("platform", pack.platform.rawValue)
                json.text("title", pack.platform.title)
                json.flag("ready", pack.readiness.ready)
                describe(pack.readiness.packs, &json)
                // An unreadable file hides nothing else; the daemon reports it, and rewrites it.
                describe((try? packs.files(pack.platform, category.identifier)) ?? [], &json)
                describe(pack.readiness.findings, &json)
            }
        }
    }

    private func describe(_ packs: [Readiness.Pack], _ json: inout JSONWriter) {
        json.objects("packs", packs) { pack, json in
            json.text("id", pack.identifier)
            json.text("title", pack.title)
            json.number("version", pack.version)
            json.number("stickers", pack.stickers)
        }
    }

    private func describe(_ files: [PackFolder.File], _ json: inout JSONWriter) {
        json.objects("files", files) { file, json in
            json.text("form", file.form)
            json.text("name", file.name)
            json.text("url", addresses.file(file.path))
            json.number("bytes", file.bytes)
        }
    }

    private func describe(_ findings: [Finding], _ json: inout JSONWriter) {
        json.objects("findings", findings) { finding, json in
            json.text("rule", finding.rule)
            json.text("severity", finding.severity.rawValue)
            json.text("detail", finding.detail)
            if let value = finding.measured { json.text("measured", value) }
            if let value = finding.limit { json.text("limit", value) }
            json.text("remedy", finding.remedy)
            if let pack = finding.pack { json.text("pack", pack) }
            if let sticker = finding.sticker { json.text("sticker", sticker.rawValue) }
        }
    }
}
