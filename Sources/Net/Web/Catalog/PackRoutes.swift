import StickerHTTP
import StickerValues

/// The packs of a category: files to download, and why others are not ready.
struct PackRoutes: Sendable {
    let packs: PackFolder
    let addresses: PublicAddresses

    /// Answers `/api/categories/ID/packs`. Files and manifests are replaced at different times, so this answer is not
    /// cached.
    func answer(_ category: CategoryFacts) -> Answer {
        let platforms = category.platforms.map { platform, readiness in
            // An unreadable file hides nothing else; the daemon reports it, and rewrites it.
            (platform, readiness, (try? packs.files(platform, category.identifier)) ?? [])
        }
        return .json { json in
            json.list("platforms") { json in
                for (platform, readiness, files) in platforms {
                    json.object { json in
                        json.text("platform", platform.rawValue)
                        json.flag("ready", readiness.ready)
                        describe(readiness.packs, &json)
                        describe(files, &json)
                        describe(readiness.findings, &json)
                    }
                }
            }
        }
    }

    private func describe(_ packs: [Readiness.Pack], _ json: inout JSONWriter) {
        json.list("packs") { json in
            for pack in packs {
                json.object { json in
                    json.text("id", pack.identifier)
                    json.text("title", pack.title)
                    json.number("version", pack.version)
                    json.number("stickers", pack.stickers)
                }
            }
        }
    }

    private func describe(_ files: [PackFolder.File], _ json: inout JSONWriter) {
        json.list("files") { json in
            for file in files {
                json.object { json in
                    json.text("form", file.form)
                    json.text("name", file.name)
                    json.text("url", addresses.file(file.path))
                    json.number("bytes", file.bytes)
                }
            }
        }
    }

    private func describe(_ findings: [Finding], _ json: inout JSONWriter) {
        json.list("findings") { json in
            for finding in findings {
                json.object { json in
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
    }
}
