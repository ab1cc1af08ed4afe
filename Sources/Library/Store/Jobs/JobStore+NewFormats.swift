import GRDB
import StickerModel

extension JobStore {
    /// How many files one transaction looks at.
    private static let page = 500
    /// The note that says which files were tried, by extensions of pictures and by other words.
    static let formatsNote = "formats"

    /// Tries files again, at bulk priority, that an older release refused because it did not read their
    /// format. It does so once for each release that reads more; the daemon calls it after `recover`.
    ///
    /// A file that was refused for its bytes is tried as well: which format they had is not recorded, and
    /// another look costs little. So are files of words, and what was refused for a crash: release 0.4 refused good
    /// files as well if the daemon was killed three times while it worked on them.
    ///
    /// - Returns: how many files are tried again.
    /// - Throws: `StoreError`; the next call continues where this one stopped.
    public func retryNewFormats() throws(StoreError) -> Int {
        let key = Self.formatsNote
        let words = ["emoji without selector", "UTF-16", "elements beside faults"]
        let formats = (FileKind.pictureExtensions + words).joined(separator: " ")
        guard try read({ try $0.note(key) }) != formats else { return 0 }
        var last: Int64? = 0
        while let id = last {
            last = try write { try $0.recognizeForeignFiles(after: id, limit: Self.page) }
        }
        var filter = JobFilter()
        filter.needingAttention = true
        var requeued = 0
        for reason in [Refusal.Reason.unsupportedFormat, .invalidWords, .decoderCrashed] {
            filter.reason = reason.rawValue
            requeued += try retry(filter, isBulk: true, isForced: true).requeued.count
        }
        try write { try $0.setNote(key, formats) }
        return requeued
    }
}

extension StoreTransaction {
    /// Records what files are now that were of no use before, and names the stickers of those present.
    ///
    /// - Returns: the last file that was looked at; `nil` if there are no more.
    fileprivate func recognizeForeignFiles(after id: Int64, limit: Int) throws -> Int64? {
        let page = try rows(
            """
            SELECT \(SourceRow.columns) FROM source
            WHERE source.id > ? AND source.kind = 'foreign' ORDER BY source.id LIMIT ?
            """, [id, limit]
        ).map { try SourceRow($0) }
        for var source in page {
            guard let kind = SourceRow.Kind(source.key), kind != .foreign else { continue }
            try run("UPDATE source SET kind = ? WHERE id = ?", [kind.rawValue, source.id])
            source.kind = kind
            if kind == .picture, source.sticker == nil, source.isPresent {
                try nameSticker(of: &source)
            }
        }
        return page.last?.id
    }
}
