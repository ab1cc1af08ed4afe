import StickerModel
import StickerPackFiles
import StickerPacks

/// What became of the packs for a platform.
struct ExportReport: Encodable {
    /// What is to be said about them.
    let lint: LintReport
    /// Pictures that were made for them.
    let made: Int
    /// The packs of the category that were written; a bundle for the library holds those of other categories, too.
    var written: [Pack] = []
    /// Where they were written; absent if they were not.
    var folder: String?
    /// As what.
    var forms: [WrittenForm] = []
    /// Why they were not written, if nothing is wrong with them.
    var error: String?

    init(_ lint: LintReport, made: Int = 0) {
        self.lint = lint
        self.made = made
    }

    private enum CodingKeys: String, CodingKey { case folder, forms, error }

    /// The keys of `lint`, and where the packs are.
    func encode(to encoder: any Encoder) throws {
        try lint.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(folder, forKey: .folder)
        try container.encode(forms, forKey: .forms)
        try container.encodeIfPresent(error, forKey: .error)
    }

    /// In one line what was written, if there is nothing else to be said than how much.
    var line: String {
        let warnings = lint.findings.count { $0.severity == .warning }
        let more = warnings > 0 ? ", " + warnings.counted("warning", "warnings") : ""
        return "\(lint.platform.rawValue): \([self].size)\(more)"
    }
}

extension [ExportReport] {
    /// How much was written.
    var size: String { PackSize(flatMap(\.written), flatMap(\.forms)).shown }
}

/// How much was written. A sticker counts once, however many packs it is in.
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
