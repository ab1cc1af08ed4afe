/// A table for a terminal or for Markdown.
struct Table {
    let titles: [String]
    let rows: [[String]]

    /// One line a row, columns aligned.
    var text: [String] {
        let lines = [titles] + rows
        let widths = titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }.joined(separator: "  ")
        }
    }

    var markdown: [String] {
        [line(titles), "|" + String(repeating: "---|", count: titles.count)] + rows.map(line)
    }

    private func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
}
