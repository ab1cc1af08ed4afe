/// Rows and columns. A phone shows each row as a card in which every cell has its label.
struct Table: Sendable {
    /// The head of a column.
    struct Column: Sendable {
        /// Its name; empty for a column of buttons.
        let name: String
        /// Whether its cells are numbers, aligned by digit.
        var isNumber = false

        static func number(_ name: String) -> Column { Column(name: name, isNumber: true) }
    }

    let columns: [Column]
    /// The cells of each row, one for each column.
    let rows: [[HTML]]

    /// Its markup. The roles repeat those of the elements, which a style sheet that lays them out as cards removes.
    var html: HTML {
        let heads = columns.map { "<th role=\"columnheader\">\($0.name)</th>" as HTML }
        let lines = rows.map { cells -> HTML in
            "<tr role=\"row\">\(zip(columns, cells).map(Self.cell))</tr>"
        }
        return """
            <table role="table"><thead role="rowgroup"><tr role="row">\(heads)</tr></thead>\
            <tbody role="rowgroup">\(lines)</tbody></table>
            """
    }

    private static func cell(_ column: Column, _ content: HTML) -> HTML {
        let kind: HTML = column.isNumber ? " class=\"number\"" : ""
        return "<td role=\"cell\" data-label=\"\(column.name)\"\(kind)>\(content)</td>"
    }
}

extension Table.Column: ExpressibleByStringLiteral {
    init(stringLiteral name: String) { self.init(name: name) }
}
