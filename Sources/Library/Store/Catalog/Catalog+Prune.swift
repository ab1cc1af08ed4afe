import GRDB

/// Rows and files that were removed from the database as no longer needed.
struct Pruned {
    /// Finished jobs.
    var jobs = 0
    /// Unused objects, as paths below `out`.
    var objects: [String] = []
    /// Manifest pages, as paths below `out`.
    var pages: [String] = []
    var isUnfinished = false
}

extension Catalog {
    /// How many rows of each kind one transaction removes.
    private static let batch = 500

    func prune() throws(StoreError) -> Pruned {
        try write { transaction in
            var pruned = Pruned()
            pruned.jobs = try transaction.pruneJobs(limit: Self.batch)
            let outputs = try transaction.pruneOutputs(limit: Self.batch, &pruned.objects)
            pruned.pages = try transaction.prunePages(limit: Self.batch)
            let sources = try transaction.pruneSources(limit: Self.batch)
            let changes = try transaction.pruneChanges(limit: Self.batch)
            pruned.isUnfinished =
                max(pruned.jobs, outputs, pruned.pages.count, sources, changes) == Self.batch
            return pruned
        }
    }

    /// Removes the oldest finished jobs while all of them take more room than they may.
    ///
    /// - Returns: how many.
    func boundHistory() throws(StoreError) -> Int {
        var removed = 0
        var page: HistoryPage? = HistoryPage(after: .min)
        while let last = page {
            page = try write { transaction in
                guard try transaction.history().bytes > transaction.policy.historyBytesMax
                else { return nil }
                return try transaction.pruneHistory(last.after, limit: Self.batch)
            }
            removed += page?.removed ?? 0
        }
        return removed
    }

    /// The files that the previous release's database names.
    func earlierFiles() throws(StoreError) -> EarlierFiles {
        try EarlierFiles(beside: connection.path, trace: connection.trace)
    }

    /// Whether a pack that was handed over has a picture, given as path below `out`.
    func isInPack(_ path: String) throws(StoreError) -> Bool { try read { try $0.isInPack(path) } }

    /// Whether a manifest page is in the database.
    func isKnown(page: String, of category: String) throws(StoreError) -> Bool {
        try read { transaction in
            try transaction.count(
                "SELECT count(*) FROM page WHERE category = ? AND name = ?", [category, page]) > 0
        }
    }
}

/// A part of the finished jobs, oldest first.
private struct HistoryPage {
    /// When the last of them ended.
    var after: Int64
    var removed = 0
}

extension StoreTransaction {
    /// A job's row and its places in indices, without its texts.
    private static let jobBytes = 300

    /// The room of finished jobs.
    func history() throws -> History {
        let jobs = try count(
            """
            SELECT total(jobs) FROM tally WHERE state IN ('completed', 'cancelled', 'discarded')
            """)
        let texts: Double? = try value(
            """
            SELECT avg(coalesce(length(log), 0) + coalesce(length(warnings), 0)
                + coalesce(length(refusal), 0)
                + 2 * (coalesce(length(content), 0) + coalesce(length(recipe), 0)))
            FROM (SELECT * FROM job INDEXED BY job_finished WHERE finished_at > 0
                ORDER BY finished_at DESC LIMIT 500)
            """)
        return History(jobs: jobs, bytes: jobs * (Self.jobBytes + Int(texts ?? 0)))
    }

    /// Removes jobs of the next page of the history: only those whose file has a newer one, or is gone, and whose work
    /// is not published.
    ///
    /// - Returns: the page; `nil` after the last.
    fileprivate func pruneHistory(_ after: Int64, limit: Int) throws -> HistoryPage? {
        let last: Int64? = try value(
            """
            SELECT max(finished_at) FROM (SELECT finished_at FROM job WHERE finished_at > ?
                ORDER BY finished_at LIMIT ?)
            """, [after, limit])
        guard let last else { return nil }
        let removed = try run(
            """
            DELETE FROM job WHERE id IN (
                SELECT id FROM job WHERE finished_at > ?1 AND finished_at <= ?2
                    AND (state IN ('completed', 'cancelled') OR superseded_by IS NOT NULL)
                    AND reason IS NOT 'dismissed'
                    AND (EXISTS (SELECT 1 FROM job AS newer WHERE newer.source = job.source
                            AND newer.id > job.id AND newer.state = 'completed')
                        OR NOT EXISTS (SELECT 1 FROM source WHERE source.id = job.source
                            AND (present = 1 OR output IS NOT NULL)))
                    AND (spent IS NULL OR NOT EXISTS (SELECT 1 FROM output
                        WHERE output.content = job.content AND keep_until IS NULL)))
            """, [after, last])
        return HistoryPage(after: last, removed: removed)
    }

    /// Removes jobs that ended long ago; refused jobs stay until they are handled, and dismissed ones as long as their
    /// files exist.
    fileprivate func pruneJobs(limit: Int) throws -> Int {
        try run(
            """
            DELETE FROM job WHERE id IN (
                SELECT id FROM job WHERE finished_at <= ?
                    AND (state IN ('completed', 'cancelled') OR superseded_by IS NOT NULL)
                    AND (reason IS NOT 'dismissed' OR superseded_by IS NOT NULL OR source NOT IN (
                        SELECT id FROM source WHERE id = job.source AND present = 1))
                LIMIT ?)
            """, [now.wall - policy.history.milliseconds, limit])
    }

    /// Removes unused outputs and former files of outputs once their time is up, but not while a manifest on disk may
    /// still name them.
    fileprivate func pruneOutputs(limit: Int, _ objects: inout [String]) throws -> Int {
        let outputs = try rows(
            """
            SELECT id FROM output WHERE keep_until <= ? AND NOT EXISTS (
                SELECT 1 FROM category
                WHERE category.id = released_from AND generation > published_generation)
            LIMIT ?
            """, [now.wall, limit])
        var paths: Set<String> = []
        for output in outputs {
            let id: Int64 = output[0]
            for row in try rows("SELECT path FROM output_file WHERE output = ?", [id]) {
                paths.insert(row[0])
            }
            try run("DELETE FROM output WHERE id = ?", [id])
        }
        // For all categories that show or showed the output: no manifest may be out of date.
        let replaced = try rows(
            """
            DELETE FROM output_file WHERE (output, path) IN (
                SELECT output, path FROM output_file WHERE keep_until <= ? AND NOT EXISTS (
                    SELECT 1 FROM category WHERE generation > published_generation)
                LIMIT ?)
            RETURNING path
            """, [now.wall, limit])
        for row in replaced { paths.insert(row[0]) }
        objects = try paths.filter {
            try count("SELECT count(*) FROM output_file WHERE path = ?", [$0]) == 0
                && !isInPack($0)
        }.sorted()
        return max(outputs.count, replaced.count)
    }

    /// Whether a pack that was handed over has this picture.
    func isInPack(_ path: String) throws -> Bool {
        try count(
            "SELECT count(*) FROM (SELECT 1 FROM pack_picture WHERE path = ? LIMIT 1)", [path])
            > 0
    }

    fileprivate func prunePages(limit: Int) throws -> [String] {
        let keep = max(policy.oldRevisions.milliseconds, Int64(ObjectStore.guardSeconds) * 1000)
        return try rows(
            """
            DELETE FROM page WHERE (category, name) IN (
                SELECT category, name FROM page WHERE released_at <= ? LIMIT ?)
            RETURNING category || '/' || name
            """, [now.wall - keep, limit]
        ).map { $0[0] }
    }

    /// Removes files that vanished long ago and whose jobs are forgotten.
    fileprivate func pruneSources(limit: Int) throws -> Int {
        try run(
            """
            DELETE FROM source WHERE id IN (
                SELECT source.id FROM source LEFT JOIN sticker ON sticker.id = source.sticker
                WHERE source.present = 0 AND source.missing_since IS NULL
                    AND (sticker.id IS NULL OR sticker.deleted_at <= ?)
                    AND NOT EXISTS (SELECT 1 FROM job WHERE job.source = source.id)
                LIMIT ?)
            """, [now.wall - policy.trash.milliseconds, limit])
    }
}
