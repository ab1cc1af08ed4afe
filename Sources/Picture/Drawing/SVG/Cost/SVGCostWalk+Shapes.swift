import StickerCodecs

/// Outlines and their paints.
extension SVGCostWalk {
    mutating func paint(
        _ own: SVGTraits, _ place: Place, _ box: SVGBox
    ) throws(CodecError) {
        let reach = place.matrix.reach
        let diagonal = canvas.width + canvas.height
        let way = min(own.length * reach, own.pieces * diagonal)
        if place.fill != .none {
            try cost.add(.pieces, own.pieces)
            let rows = min(own.rows * reach, max(1, box.height))
            try cost.add(.outlines, Self.crossings(way, in: rows, apart: 50))
            try paint(place.fill, box, own, place)
        }
        if place.stroke != .none, place.strokeWidth > 0 {
            try countStroke(own, place, box, way)
        }
        try countMarkers(own, place)
    }

    /// Overlapping outlines in the same rows cost more: each row is sorted.
    private static func crossings(_ way: Double, in rows: Double, apart: Double) -> Double {
        way * (1 + way / max(1, rows) / apart)
    }

    private mutating func countStroke(
        _ own: SVGTraits, _ place: Place, _ box: SVGBox, _ way: Double
    ) throws(CodecError) {
        let reach = place.matrix.reach
        let width = place.strokeWidth * reach
        let isDashed = place.dash * reach > 0.1
        let dashes = isDashed ? own.length / place.dash : 0
        let pieces = own.pieces + dashes
        try cost.add(.pieces, 3 * pieces)
        let edges = 2 * way + min(pieces, 1e7) * min(2 * width, canvas.height)
        let wide = SVGBox(
            x: box.x - width, y: box.y - width, width: box.width + 2 * width,
            height: box.height + 2 * width
        ).cut(to: place.visible)
        let rows = min(own.rows * reach + width, max(1, wide.height))
        try cost.add(.outlines, Self.crossings(edges, in: rows, apart: 150))
        try paint(place.stroke, wide, own, place)
    }

    private mutating func countMarkers(
        _ own: SVGTraits, _ place: Place
    ) throws(CodecError) {
        for (id, count) in zip(place.markers, [1, own.vertices - 2, 1]) where own.vertices > 0 {
            guard let marker = named[id], marker.name == "marker", count > 0 else { continue }
            let size = marker["markerUnits"] == "userSpaceOnUse" ? 1 : place.strokeWidth
            var inside = place
            inside.markers = ["", "", ""]
            (inside.matrix.e, inside.matrix.f) = (canvas.width / 2, canvas.height / 2)
            inside.matrix = inside.matrix * .scale(size, size)
            inside = nested(marker, inside)
            for _ in 0..<count {
                try cost.add(.elements, 1)
                try showContent(of: id, inside)
            }
        }
    }

    // MARK: Paints

    mutating func paint(
        _ paint: SVGTraits.Paint, _ box: SVGBox, _ own: SVGTraits, _ place: Place
    ) throws(CodecError) {
        guard case .server(let id) = paint, let server = named[id] else {
            return try cost.add(.painting, box.area / 2)
        }
        guard server.name == "pattern" else {
            return try countGradient(server, box)
        }
        try countPattern(server, box, own, place)
    }

    mutating func countGradient(
        _ gradient: SVGElement, _ box: SVGBox
    ) throws(CodecError) {
        var (holder, steps, stops) = (gradient, 0, gradient.stops.count)
        while stops == 0, steps < 8, let next = holder.template.flatMap({ named[$0] }) {
            (holder, steps, stops) = (next, steps + 1, next.stops.count)
        }
        let count = Double(stops)
        try cost.add(.stops, 1 + count)
        // Where the colour changes, the next stop is searched for.
        let changes = gradient["spreadMethod"] == nil ? min(box.width, count) : box.width
        try cost.add(.painting, 10 * box.area + box.height * changes * count / 2)
    }

    mutating func countPattern(
        _ pattern: SVGElement, _ box: SVGBox, _ own: SVGTraits, _ place: Place
    ) throws(CodecError) {
        var chain = [pattern]
        while chain.count < 8, let next = chain[chain.count - 1].template.flatMap({ named[$0] }) {
            chain.append(next)
        }
        func said(_ name: String) -> SVGElement? { chain.first { $0[name] != nil } }
        guard let holder = chain.first(where: { !$0.elements.isEmpty }), let id = holder["id"]
        else { return }
        let isOfUser = said("patternUnits")?["patternUnits"] == "userSpaceOnUse"
        func side(_ name: String) -> Double {
            guard let holder = said(name) else { return 0 }
            let bounds = name == "width" ? own.bounds?.width : own.bounds?.height
            let whole = bounds ?? place.visible.width
            return isOfUser ? holder.length(name) ?? 0 : (holder.part(name) ?? 0) * whole
        }
        let (width, height) = (side("width"), side("height"))
        guard width > 0, height > 0 else { return }
        var tile = place
        if let matrix = said("patternTransform")?["patternTransform"].flatMap({ SVGMatrix($0) }) {
            tile.matrix = tile.matrix * matrix
        }
        let (reach, isTurned) = (tile.matrix.reach, tile.matrix.isTurned)
        tile.visible = SVGBox(x: 0, y: 0, width: width * reach, height: height * reach)
        (tile.matrix.e, tile.matrix.f) = (0, 0)
        // Turned tiles are filtered pixel by pixel.
        try cost.add(.painting, (isTurned ? 300 : 80) * box.area + 2 * tile.visible.area)
        if let box = said("viewBox")?.viewBox {
            tile.matrix =
                tile.matrix * .scale(width / box.width, height / box.height)
                * .translation(-box.x, -box.y)
        } else {
            tile = inBox(said("patternContentUnits")?["patternContentUnits"], own, tile)
        }
        try showContent(of: id, tile)
    }
}
