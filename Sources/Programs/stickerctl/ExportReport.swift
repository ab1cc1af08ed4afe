import StickerPackFiles
import StickerPacks
import StickerValues

/// The result of an export for a platform.
struct ExportReport: Encodable {
    /// The findings.
    let lint: LintReport
    /// How many pictures were made.
    var made = 0
    /// The written packs of the category; a bundle for the library contains those of other categories, too.
    var written: [Pack] = []
    /// The folder; absent if nothing was written.
    var folder: String?
    var forms: [WrittenForm] = []
    /// Why nothing was written, if the packs have no faults.
    var error: String?

    private enum CodingKeys: String, CodingKey { case folder, forms, error }

    /// The keys of `lint`, and the folder of the packs.
    func encode(to encoder: any Encoder) throws {
        try lint.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(folder, forKey: .folder)
        try container.encode(forms, forKey: .forms)
        try container.encodeIfPresent(error, forKey: .error)
    }

    /// One line about the written packs, if there is nothing to report but their size.
    var line: String {
        let warnings = lint.findings.count { $0.severity == .warning }
        let more = warnings > 0 ? ", " + warnings.counted("warning", "warnings") : ""
        return "\(lint.platform.rawValue): \([self].size)\(more)"
    }
}

extension [ExportReport] {
    /// The written amount.
    var size: String { PackSize(flatMap(\.written), flatMap(\.forms)).shown }
}

/// The written amount. A sticker counts once, however many packs it is in.
struct PackSize {
    /// `2 packs, 34 stickers, 3.1 MB`.
    let shown: String

    init(_ packs: [Pack], _ forms: [WrittenForm]) {
        let stickers = Set(packs.flatMap(\.stickers).map(\.identifier)).count
        shown = [
            packs.count.counted("pack", "packs"), stickers.counted("sticker", "stickers"),
            forms.reduce(0) { $0 + $1.bytes }.asBytes,
        ].joined(separator: ", ")
    }
}
