import GRDB
import StickerValues

extension Operations {
    /// How many files one transaction examines.
    private static let page = 500

    /// Retries files, at bulk priority, that an older release refused because it did not read their format: once for
    /// each release that reads more. The daemon calls it after `recover`.
    ///
    /// This includes files refused for their bytes, because their format was not recorded and another look is cheap;
    /// files of words; and files refused for a crash, because release 0.4 also refused good files after the daemon was
    /// killed three times during their jobs.
    ///
    /// - Returns: how many files are retried.
    /// - Throws: `StoreError`; the next call continues where this one stopped.
    public func retryNewFormats() throws(StoreError) -> Int {
        let key = UpgradeCopy.formatsNote
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
    /// Records the present kind of formerly useless files, and names the stickers of those present.
    ///
    /// - Returns: the last file examined; `nil` if there are no more.
    fileprivate func recognizeForeignFiles(after id: Int64, limit: Int) throws -> Int64? {
        let page = try sources(
            """
            SELECT \(SourceRow.columns) FROM source
            WHERE source.id > ? AND source.kind = 'foreign' ORDER BY source.id LIMIT ?
            """, [id, limit])
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
