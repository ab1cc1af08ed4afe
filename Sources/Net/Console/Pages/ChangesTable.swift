import StickerStore

extension [MadeChange] {
    /// The changes by people; nothing if there are none.
    var section: HTML {
        guard !isEmpty else { return "" }
        let rows = map { change -> [HTML] in
            [
                change.at.shownAgo, "\(change.person ?? "no name")", "\(change.sentence)",
                "\(change.file ?? "")",
            ]
        }
        let table = Table(columns: [.short("When"), "Who", "Change", "File"], rows: rows)
        return "<section><h2>Changes</h2>\(table.html)</section>"
    }
}
