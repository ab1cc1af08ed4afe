import GRDB
public import StickerConfiguration
public import StickerValues

extension Catalog {
    /// How many files one transaction examines.
    private static let page = 500

    /// Renames the recipes of earlier releases whose defaults have changed to those of the present defaults, once for
    /// each change, so that nothing is made again. The revision stays and shows what is outdated.
    ///
    /// - Parameters:
    ///   - changes: the changed defaults, the latest last.
    ///   - configuration: as its file has it now.
    /// - Returns: how many finished pictures have another recipe now.
    /// - Throws: `StoreError`; the next call continues where this one stopped.
    @discardableResult
    public func adoptChangedDefaults(
        _ changes: [ChangedDefault], in configuration: StickerConfiguration.Configuration
    ) throws(StoreError) -> Int {
        let due = try defaultsToAdopt(of: changes)
        guard let last = due.last else { return 0 }
        if connection.upgrade?.isCurrent == true {
            try setNote("defaults", to: last.revision)
            return 0
        }
        var renaming = RecipeRenaming(configuration, before: due)
        var adopted = 0
        var id: Int64? = 0
        while let after = id {
            (id, adopted) = try write { transaction in
                let page = try transaction.shown(after: after, limit: Self.page)
                let renamed = try page.reduce(0) { $0 + (try transaction.rename($1, &renaming)) }
                return (page.last?.id, adopted + renamed)
            }
        }
        id = 0
        while let after = id {
            (id, adopted) = try write { transaction in
                let page = try transaction.renameReleased(
                    after: after, limit: Self.page, &renaming)
                return (page.last, adopted + page.renamed)
            }
        }
        try setNote("defaults", to: last.revision)
        return adopted
    }

    /// The changed defaults that the library has not adopted yet.
    ///
    /// - Parameter changes: all of them.
    /// - Returns: the remaining ones, in the same order.
    /// - Throws: `StoreError` if the database cannot be read.
    public func defaultsToAdopt(
        of changes: [ChangedDefault]
    ) throws(StoreError) -> [ChangedDefault] {
        let done = try note("defaults", as: Int.self) ?? 0
        return changes.filter { $0.revision > done }
    }
}

extension StoreTransaction {
    /// A page of files with published pictures, present or not.
    fileprivate func shown(after id: Int64, limit: Int) throws -> [SourceRow] {
        try sources(
            """
            SELECT \(SourceRow.columns) FROM source WHERE id > ? AND output IS NOT NULL
            ORDER BY id LIMIT ?
            """, [id, limit])
    }

    /// Renames the recipes of a file's outputs, of other outputs of the same bytes kept for packs, and of the file's
    /// jobs.
    fileprivate func rename(_ source: SourceRow, _ renaming: inout RecipeRenaming) throws -> Int {
        guard let output = source.output,
            let content: String = try value("SELECT content FROM output WHERE id = ?", [output])
        else { return 0 }
        let renames = try newNames(for: source, &renaming)
        guard !renames.isEmpty else { return 0 }
        let outputs = try rows(
            """
            SELECT id, product, EXISTS (SELECT 1 FROM source
                WHERE source.output = output.id AND source.id <> ?2) AS is_shared
            FROM output WHERE content = ?1 AND (keep_until IS NULL OR released_from IS NULL)
            """, [content, source.id])
        var renamed = 0
        for row in outputs {
            let (id, isShared): (Int64, Bool) = (row["id"], row["is_shared"])
            guard !isShared || id == output,
                let product = try renamedProduct(row["product"], renames)
            else { continue }
            var isInPlace = !isShared
            // An output is not renamed if another one has the name.
            if isShared, try sibling(of: id, named: product.recipe) == nil {
                isInPlace = try agree(on: renames, for: id, &renaming)
            }
            let successor = try isInPlace ? rename(id, product) : copy(id, product)
            renamed += 1
            guard id == output, successor != id else { continue }
            try run("UPDATE source SET output = ? WHERE id = ?", [successor, source.id])
            try release(id, of: source.category, as: .oldRevision)
        }
        try renameJobs(of: source, renames)
        return renamed
    }

    private func newNames(
        for source: SourceRow, _ renaming: inout RecipeRenaming
    ) throws -> [RecipeID: RecipeID] {
        let names = try categoryNames(of: source)
        let concessions = try concessions(of: source).about(source.content)
        return renaming.renames(of: names, concessions)
    }

    /// Whether all files of an output agree on these names.
    private func agree(
        on renames: [RecipeID: RecipeID], for output: Int64, _ renaming: inout RecipeRenaming
    ) throws -> Bool {
        for source in try sources(of: output) {
            let others = try newNames(for: source, &renaming)
            if others != renames { return false }
        }
        return true
    }

    /// Renames the recipes of refusals and of waiting jobs.
    private func renameJobs(of source: SourceRow, _ renames: [RecipeID: RecipeID]) throws {
        for row in try rows(
            """
            SELECT id, recipe FROM job WHERE source = ? AND recipe IS NOT NULL
                AND state <> 'completed'
            """, [source.id])
        {
            guard let recipe = renames[RecipeID(rawValue: row["recipe"])] else { continue }
            try run(
                "UPDATE job SET recipe = ? WHERE id = ?", [recipe.rawValue, row["id"] as Int64])
        }
    }

    /// Renames the recipes of a page of outputs kept from deleted stickers and replaced files.
    ///
    /// - Returns: the last output of the page, `nil` after the last page, and how many were renamed.
    fileprivate func renameReleased(
        after id: Int64, limit: Int, _ renaming: inout RecipeRenaming
    ) throws -> (last: Int64?, renamed: Int) {
        var names: [CategoryID: CategoryNames] = [:]
        for (category, own) in try categoryNames() { names[category] = own }
        let page = try rows(
            """
            SELECT id, product, released_from FROM output
            WHERE id > ? AND keep_until IS NOT NULL AND released_from IS NOT NULL
            ORDER BY id LIMIT ?
            """, [id, limit])
        var renamed = 0
        for row in page {
            guard let names = names[CategoryID(rawValue: row["released_from"])],
                let product = try renamedProduct(row["product"], renaming.renames(of: names))
            else { continue }
            let id: Int64 = row["id"]
            if try rename(id, product) == id { renamed += 1 }
        }
        return (page.last.map { $0["id"] as Int64 }, renamed)
    }

    /// `nil` if it keeps its names.
    private func renamedProduct(
        _ text: String, _ renames: [RecipeID: RecipeID]
    ) throws -> StickerProduct? {
        guard !renames.isEmpty else { return nil }
        let product = try StoredJSON.decode(StickerProduct.self, from: text)
        var renamed = product
        renamed.rename(renames)
        return renamed == product ? nil : renamed
    }

    /// Returns the output with the product's name: this one, unless another had it first.
    private func rename(_ output: Int64, _ product: StickerProduct) throws -> Int64 {
        if let taken = try sibling(of: output, named: product.recipe) { return taken }
        try run(
            "UPDATE output SET recipe = ?, product = ? WHERE id = ?",
            [product.recipe.rawValue, try StoredJSON.text(product), output])
        return output
    }

    /// The output of the same bytes under the product's name; created if missing, as others keep the old name.
    private func copy(_ output: Int64, _ product: StickerProduct) throws -> Int64 {
        if let taken = try sibling(of: output, named: product.recipe) { return taken }
        try run(
            """
            INSERT INTO output (content, recipe, revision, product, is_lost, is_rebuilt, is_cmyk,
                faults, is_wrong)
            SELECT content, ?, revision, ?, is_lost, is_rebuilt, is_cmyk, faults, is_wrong
            FROM output WHERE id = ?
            """, [product.recipe.rawValue, try StoredJSON.text(product), output])
        let copy = database.lastInsertedRowID
        try run(
            """
            INSERT INTO output_file (output, path, keep_until, bytes)
            SELECT ?, path, keep_until, bytes FROM output_file WHERE output = ?
            """, [copy, output])
        return copy
    }

    /// Another output of the same bytes.
    private func sibling(of output: Int64, named recipe: RecipeID) throws -> Int64? {
        try value(
            """
            SELECT other.id FROM output JOIN output AS other ON other.content = output.content
            WHERE output.id = ? AND other.recipe = ? AND other.id <> output.id
            """, [output, recipe.rawValue])
    }
}
