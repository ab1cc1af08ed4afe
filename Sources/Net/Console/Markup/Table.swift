/// Rows and columns. A phone shows each row as a card in which every cell has its label.
struct Table: Sendable {
    /// The head of a column.
    struct Column: Sendable {
        /// Its name; empty for a column of buttons.
        let name: String
        /// The class of its cells.
        var kind: HTML?

        fileprivate var kindAttribute: HTML { kind.map { " class=\"\($0)\"" } ?? "" }

        /// Its name; for one without, what screen readers say.
        fileprivate var head: HTML {
            guard name.isEmpty else { return "\(name)" }
            return "<span class=\"hidden\">\(kind == nil ? "Actions" : "Picture")</span>"
        }

        /// Numbers, aligned by digit.
        static func number(_ name: String) -> Column { Column(name: name, kind: "number") }
        /// Small pictures.
        static let picture = Column(name: "", kind: "picture")
        /// Short texts that are not broken.
        static func short(_ name: String) -> Column { Column(name: name, kind: "short") }
    }

    let columns: [Column]
    /// The cells of each row, one for each column.
    let rows: [[HTML]]

    /// Its markup. The roles repeat those of the elements, which a style sheet that lays them out as cards removes.
    var html: HTML {
        let heads = columns.map { column -> HTML in
            "<th role=\"columnheader\"\(column.kindAttribute)>\(column.head)</th>"
        }
        let lines = rows.map { cells -> HTML in
            "<tr role=\"row\">\(zip(columns, cells).map(Self.cell))</tr>"
        }
        return """
            <table role="table"><thead role="rowgroup"><tr role="row">\(heads)</tr></thead>\
            <tbody role="rowgroup">\(lines)</tbody></table>
            """
    }

    private static func cell(_ column: Column, _ content: HTML) -> HTML {
        "<td role=\"cell\" data-label=\"\(column.name)\"\(column.kindAttribute)>\(content)</td>"
    }
}

extension Table.Column: ExpressibleByStringLiteral {
    init(stringLiteral name: String) { self.init(name: name) }
}
