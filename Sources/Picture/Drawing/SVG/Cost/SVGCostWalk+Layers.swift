import StickerCodecs

/// Opacity, masks, clips and filters.
extension SVGCostWalk {
    /// Opacity, masks, clips and filters.
    mutating func countLayers(
        of own: SVGTraits, _ place: Place, _ box: SVGBox
    ) throws(CodecError) {
        if own.isLayer { try cost.add(.layers, (own.isBlended ? 8 : 3) * canvasPixels) }
        if let mask = own.mask.flatMap({ named[$0] }), mask.name == "mask" {
            try cost.add(.layers, 10 * canvasPixels)
            try showContent(of: own.mask ?? "", inBox(mask["maskContentUnits"], own, place))
        }
        if let clip = own.clip.flatMap({ named[$0] }), clip.name == "clipPath" {
            if clip["clipPathUnits"] == "objectBoundingBox" {
                try cost.add(.layers, canvasPixels)
            }
            try showContent(of: own.clip ?? "", inBox(clip["clipPathUnits"], own, place))
        }
        for id in own.filters {
            guard let filter = named[id], filter.name == "filter" else { continue }
            try count(filter, own, place, box)
        }
    }

    /// The units of something that refers to a shape: those of its box if `units` says so.
    func inBox(_ units: String?, _ own: SVGTraits, _ place: Place) -> Place {
        guard units == "objectBoundingBox" else { return place }
        var place = place
        guard let box = own.bounds else {
            let visible = place.visible
            place.matrix =
                .translation(visible.x, visible.y) * .scale(visible.width, visible.height)
            return place
        }
        place.matrix = place.matrix * .translation(box.x, box.y) * .scale(box.width, box.height)
        return place
    }

    mutating func count(
        _ filter: SVGElement, _ own: SVGTraits, _ place: Place, _ box: SVGBox
    ) throws(CodecError) {
        let region = self.region(of: filter, own, place, box)
        try cost.add(.layers, 4 * canvasPixels)
        let reach = place.matrix.reach
        for case .element(let primitive) in filter.children where primitive.isSVG {
            let inBox = filter["primitiveUnits"] == "objectBoundingBox"
            let scale = inBox ? max(box.width, box.height) : reach
            try cost.add(
                .filters, canvasPixels + region.area * primitive.filterWeight(scale: scale))
            if primitive.name == "feImage", let id = primitive.reference,
                let target = named[id]
            {
                try show(target, place)
            }
        }
    }

    /// The pixels of a filter.
    private func region(
        of filter: SVGElement, _ own: SVGTraits, _ place: Place, _ box: SVGBox
    ) -> SVGBox {
        let isOfUser = filter["filterUnits"] == "userSpaceOnUse"
        guard let bounds = isOfUser ? SVGBox(x: 0, y: 0, width: 1, height: 1) : own.bounds else {
            return place.visible
        }
        func side(_ name: String, _ standard: Double) -> Double? {
            isOfUser ? filter.length(name) : filter.part(name) ?? standard
        }
        guard let x = side("x", -0.1), let y = side("y", -0.1), let width = side("width", 1.2),
            let height = side("height", 1.2)
        else { return place.visible }
        let region = SVGBox(
            x: isOfUser ? x : bounds.x + x * bounds.width,
            y: isOfUser ? y : bounds.y + y * bounds.height, width: width * bounds.width,
            height: height * bounds.height)
        return place.matrix.box(around: region).cut(to: place.visible)
    }
}

extension SVGElement {
    /// The work of a filter primitive per pixel, in units of a plain copy, measured with librsvg 2.54.
    ///
    /// - Parameter scale: pixels per unit of the primitive.
    /// - Returns: the weight of a pixel.
    fileprivate func filterWeight(scale: Double) -> Double {
        switch name {
        case "feFlood", "feOffset", "feTile": 3
        case "feMerge": 25 * Double(max(1, elements.count))
        case "feColorMatrix", "feComponentTransfer": 25
        case "feBlend", "feComposite": 35
        case "feGaussianBlur": 5 + blurWeight(scale: scale)
        case "feDropShadow": 150 + blurWeight(scale: scale)
        case "feDisplacementMap": 550
        case "feDiffuseLighting", "feSpecularLighting": 110
        case "feTurbulence": 45 + 70 * max(1, numbers("numOctaves").first ?? 1)
        case "feConvolveMatrix": 60 + 6 * kernelSize
        case "feMorphology": morphologyWeight(scale: scale)
        default: 50
        }
    }

    /// Up to 2 pixels a kernel is used, beyond that three boxes along each axis.
    private func blurWeight(scale: Double) -> Double {
        let deviations = numbers("stdDeviation").map { $0 * scale }
        return [deviations.first ?? 0, deviations.last ?? 0]
            .reduce(0) { $0 + ($1 <= 0 ? 0 : $1 < 2.5 ? 70 : 35) }
    }

    private var kernelSize: Double {
        let order = numbers("order")
        return max(1, order.first ?? 3) * max(1, order.last ?? 3)
    }

    private func morphologyWeight(scale: Double) -> Double {
        // librsvg uses 10 pixels at most. Borders of stickers are made with one of them.
        let radii = numbers("radius").map { min(10, max(0, $0 * scale)) }
        let (x, y) = (radii.first ?? 0, radii.last ?? 0)
        return min(1600, 20 + 7 * (2 * x + 1) * (2 * y + 1))
    }
}
