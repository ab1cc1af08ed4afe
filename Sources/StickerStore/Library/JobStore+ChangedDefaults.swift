import GRDB
public import StickerModel

extension JobStore {
    /// How many files one transaction looks at.
    private static let page = 500

    /// Gives what earlier releases made by defaults that have changed since the recipes that the present defaults
    /// have, once for each change: so nothing is made again. The revision stays, and tells what is outdated.
    ///
    /// - Parameters:
    ///   - changes: the changed defaults, the latest last.
    ///   - configuration: as its file has it now.
    /// - Returns: how many finished pictures have another recipe now.
    /// - Throws: `StoreError`; the next call continues where this one stopped.
    @discardableResult
    public func adoptChangedDefaults(
        _ changes: [ChangedDefault], in configuration: StickerModel.Configuration
    ) throws(StoreError) -> Int {
        let done = try note("defaults", as: Int.self) ?? 0
        let due = changes.filter { $0.revision > done }
        guard let last = due.last else { return 0 }
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
        adopted += try write { try $0.renameReleased(&renaming) }
        try setNote("defaults", to: last.revision)
        return adopted
    }
}

extension StoreTransaction {
    /// A page of files that show something, be they there or not.
    fileprivate func shown(after id: Int64, limit: Int) throws -> [SourceRow] {
        try rows(
            """
            SELECT \(SourceRow.columns) FROM source WHERE id > ? AND output IS NOT NULL
            ORDER BY id LIMIT ?
            """, [id, limit]
        ).map { try SourceRow($0) }
    }

    /// Renames what a file shows, what is kept besides of the same bytes, and the refusals of the file.
    fileprivate func rename(_ source: SourceRow, _ renaming: inout RecipeRenaming) throws -> Int {
        guard let output = source.output,
            let content: String = try value("SELECT content FROM output WHERE id = ?", [output])
        else { return 0 }
        let concessions = try concessions(of: source).about(source.content)
        let renames = renaming.renames(of: try categoryNames(of: source), concessions)
        let outputs = try rows(
            """
            SELECT id, product, (SELECT count(*) FROM source
                WHERE source.output = output.id AND source.id <> ?2) AS others
            FROM output WHERE content = ?1
            """, [content, source.id])
        var renamed = 0
        for row in outputs {
            let (id, others): (Int64, Int) = (row["id"], row["others"])
            guard others == 0 || id == output,
                let product = try renamedProduct(row["product"], renames)
            else { continue }
            let successor = try others == 0 ? rename(id, product) : copy(id, product)
            renamed += 1
            guard id == output, successor != id else { continue }
            try run("UPDATE source SET output = ? WHERE id = ?", [successor, source.id])
            try release(id, of: source.category, as: .oldRevision)
        }
        for row in try rows(
            """
            SELECT id, recipe FROM job WHERE source = ? AND recipe IS NOT NULL
                AND state IN ('discarded', 'cancelled')
            """, [source.id])
        {
            guard let recipe = renames[RecipeID(rawValue: row["recipe"])] else { continue }
            try run(
                "UPDATE job SET recipe = ? WHERE id = ?", [recipe.rawValue, row["id"] as Int64])
        }
        return renamed
    }

    /// Renames what is kept of deleted stickers and of files that were replaced.
    fileprivate func renameReleased(_ renaming: inout RecipeRenaming) throws -> Int {
        var names: [CategoryID: CategoryNames] = [:]
        for (category, own) in try categoryNames() { names[category] = own }
        var renamed = 0
        for row in try rows(
            """
            SELECT id, product, released_from FROM output
            WHERE keep_until IS NOT NULL AND released_from IS NOT NULL
            """)
        {
            guard let names = names[CategoryID(rawValue: row["released_from"])],
                let product = try renamedProduct(row["product"], renaming.renames(of: names))
            else { continue }
            let id: Int64 = row["id"]
            if try rename(id, product) == id { renamed += 1 }
        }
        return renamed
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

    /// Returns the output that has the product's name: this one, unless another was first.
    private func rename(_ output: Int64, _ product: StickerProduct) throws -> Int64 {
        if let taken = try sibling(of: output, named: product.recipe) { return taken }
        try run(
            "UPDATE output SET recipe = ?, product = ? WHERE id = ?",
            [product.recipe.rawValue, try StoredJSON.text(product), output])
        return output
    }

    /// The output of the same bytes under the product's name; made if there is none, as others keep the old name.
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
