import StickerConfiguration
import StickerStore
import StickerValues

extension LibraryStore {
    /// Retries refused files, and targets for which a sticker could not be made, at bulk priority if the rule that
    /// refused them has changed.
    func retryRefused(
        whereChanged newer: Configuration, from before: Configuration
    ) throws(StoreError) {
        var filter = JobFilter()
        filter.needingAttention = true
        for reason in Refusal.Reason.ofLimits where newer.limits != before.limits {
            filter.reason = reason.rawValue
            _ = try operations.retry(filter, isBulk: true, isForced: true)
        }
        if newer.limits != before.limits {
            try operations.renewShortfalls(of: Refusal.Reason.ofLimits)
        }
        if newer.marks != before.marks { _ = try rereadLooks() }
        let known = try catalog.categoryNames()
        for reason in Refusal.Reason.ofRecipes + [.needsReview] {
            filter.reason = reason.rawValue
            let concerned = try operations.jobs(filter).filter { job in
                let names = job.names(known)
                return reason == .needsReview
                    ? !newer.settings(of: names).review
                    : newer.recipe(for: job, names) != before.recipe(for: job, names)
            }
            guard !concerned.isEmpty else { continue }
            var named = filter
            named.ids = Set(concerned.map(\.id))
            _ = try operations.retry(named, isBulk: true, isForced: true)
        }
    }
}

extension LibraryStore {
    /// Retries refused files, and targets for which a sticker could not be made, at bulk priority if rules that may
    /// have refused them changed since the last run. Call it before this configuration is recorded.
    ///
    /// - Parameters:
    ///   - newer: the configuration of this daemon.
    ///   - defaults: those that changed since the last run. They are not rules that an operator changed.
    /// - Returns: how many files are retried.
    /// - Throws: `StoreError` if the database cannot be read or written.
    func retryRefused(
        whereChangedSinceTheLastRun newer: Configuration, butFor defaults: [ChangedDefault]
    ) throws(StoreError) -> Int {
        guard let record = try operations.configurationRecord() else { return 0 }
        let settings = newer.before(defaults).settings
        // Emoji, words and groups refuse nothing.
        // An earlier release did not know looks: it refused side files with one.
        let isUpgraded = record.settings["marks"] == nil
        var retried = 0
        if isUpgraded || record.settings["marks"] != settings["marks"] {
            retried += try rereadLooks()
        }
        let keys = Configuration.changes(from: record.settings, to: settings).map(\.key)
            .filter { key in
                ![".emojis", ".words", ".rows", ".columns", ".order"].contains(where: key.hasSuffix)
            }
        for (prefixes, reasons) in [
            (["limits."], Refusal.Reason.ofLimits),
            (
                ["sticker.", "categories.", "targets."],
                Refusal.Reason.ofRecipes + [.needsReview]
            ),
        ] where keys.contains(where: { key in prefixes.contains { key.hasPrefix($0) } }) {
            var filter = JobFilter()
            filter.needingAttention = true
            for reason in reasons {
                filter.reason = reason.rawValue
                retried += try operations.retry(filter, isBulk: true, isForced: true).requeued.count
            }
            if prefixes == ["limits."] { try operations.renewShortfalls(of: reasons) }
        }
        return retried
    }
}

extension LibraryStore {
    /// Reads side files again whose look depends on the folder of marks, and those that were refused.
    private func rereadLooks() throws(StoreError) -> Int {
        var filter = JobFilter()
        filter.needingAttention = true
        filter.reason = Refusal.Reason.invalidWords.rawValue
        let retried = try operations.retry(filter, isBulk: true, isForced: true).requeued.count
        return try retried + queue.rereadLooks()
    }
}

extension JobRecord {
    /// The names of its category, by the folder of the file.
    fileprivate func names(_ known: [CategoryID: CategoryNames]) -> CategoryNames {
        var names = known[category] ?? CategoryNames(identifier: category, folder: nil)
        names.folder = categoryFolder
        return names
    }

    /// The folder below the drop; `nil` for a file in the drop itself.
    private var categoryFolder: [UInt8]? {
        file.firstIndex(of: "/").map { Array(file[..<$0].utf8) }
    }
}

extension Configuration {
    /// The recipe of the file, with a profile only if its name allows CMYK.
    fileprivate func recipe(for job: JobRecord, _ names: CategoryNames) -> Recipe {
        var recipe = recipe(of: names)
        let name = FileName.fileExtension(Array(job.file.utf8))
        let inInks = [ImageFormat.jpeg, .tiff].flatMap(\.fileExtensions)
        if !inInks.contains(name) { recipe.cmykProfile = nil }
        return recipe
    }
}

extension Refusal.Reason {
    /// Rules of `limits`.
    fileprivate static let ofLimits: [Refusal.Reason] = [
        .tooManyBytes, .badDimensions, .tooManyPixels, .tooManyFrames, .tooComplex,
        .outOfMemory, .decoderCrashed,
    ]

    /// Rules of `sticker` and of categories.
    fileprivate static let ofRecipes: [Refusal.Reason] = [
        .willNotFit, .tooLong, .verificationFailed, .notTaken,
    ]
}
