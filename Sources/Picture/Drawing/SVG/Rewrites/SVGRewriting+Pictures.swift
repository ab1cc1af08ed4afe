import StickerCodecs
import StickerContainers
import StickerRaster
import StickerValues

/// Embedded pictures as librsvg reads them: PNG and JPEG under their own names, upright and in sRGB.
extension SVGRewriting {
    /// Replaces those that librsvg would omit or show wrongly.
    ///
    /// - Parameter drawing: draws an embedded drawing.
    func rewritePictures(
        drawing: ([UInt8], _ proportions: Double?) throws(CodecError) -> PixelBuffer
    ) {
        var known: [String: EmbeddedPicture.Replacement] = [:]
        for element in elements where ["image", "feImage"].contains(element.name) && element.isSVG {
            guard let href = element.href, Self.isData(href) else { continue }
            let box = element.bounds.flatMap { $0.width > 0 && $0.height > 0 ? $0 : nil }
            // A picture without proportions is stretched.
            let isStretched = element["preserveAspectRatio"]?.hasPrefix("none") ?? false
            let proportions = isStretched ? nil : box.map { $0.width / $0.height }
            let key = proportions.map { "\($0) \(href)" } ?? href
            let replacement =
                known[key]
                ?? EmbeddedPicture.replacement(for: href, shared) {
                    bytes throws(CodecError) in
                    try drawing(bytes, proportions)
                }
            known[key] = replacement
            if replacement.isStretched { element["preserveAspectRatio"] = "none" }
            if let address = replacement.address {
                element.href = address
                isChanged = true
            }
            if let fault = replacement.fault { note(.leftOut, fault) }
            if let size = replacement.size { complete(element, size) }
        }
    }

    private static func isData(_ href: String) -> Bool {
        href.drop { $0.isWhitespace }.prefix(5).lowercased() == "data:"
    }

    /// Adds a missing side by the proportions of the picture.
    private func complete(_ element: SVGElement, _ size: PixelSize) {
        guard element.name == "image" else { return }
        let (width, height) = (element.length("width"), element.length("height"))
        let (wide, high) = (Double(size.width), Double(size.height))
        if let width, height == nil {
            change(element, "height", to: CSSLength.text(width * high / wide))
        } else if let height, width == nil {
            change(element, "width", to: CSSLength.text(height * wide / high))
        }
    }
}

extension EmbeddedPicture {
    /// The replacement of an address.
    struct Replacement {
        /// The new address; `nil` to keep the old one.
        var address: String?
        /// Why it is not drawn, for people.
        var fault: String?
        var size: PixelSize?
        /// Whether it fills its place in any proportions, as a drawing without a viewBox does in browsers.
        var isStretched = false
    }

    /// The replacement of an address. Decoded pixels count against the shared budget, even if decoding fails.
    static func replacement(
        for href: String, _ shared: SVGShared,
        drawing: ([UInt8]) throws(CodecError) -> PixelBuffer
    ) -> Replacement {
        guard let data = DataAddress(href), !data.bytes.isEmpty else {
            return Replacement(fault: "an embedded picture that is empty or not in base64")
        }
        let source = SourceBytes(data.bytes)
        switch ImageFormat.sniff(source) {
        case .picture(let format):
            do throws(CodecError) {
                return try replacement(format, data, source, shared, drawing)
            } catch {
                return Replacement(address: "", fault: fault(format, error))
            }
        case .foreign(let name):
            return Replacement(address: "", fault: "an embedded file that is \(name)")
        case .unknown:
            return Replacement(address: "", fault: "an embedded picture of an unknown type")
        }
    }

    private static func fault(_ format: ImageFormat, _ error: CodecError) -> String {
        error.code == .unsupported
            ? "an embedded \(format.name) picture, which is read only as a file of its own"
            : "an embedded \(format.name) picture that is damaged or too large"
    }

    private static func replacement(
        _ format: ImageFormat, _ data: DataAddress, _ source: SourceBytes, _ shared: SVGShared,
        _ drawing: ([UInt8]) throws(CodecError) -> PixelBuffer
    ) throws(CodecError) -> Replacement {
        if format == .svg {
            let count = SVGRewriting.side * SVGRewriting.side
            try take(count, from: shared, format)
            if data.type != "image/svg+xml" || data.bytes.first == 0x1F {
                shared.note(
                    .differs, "an embedded drawing that is compressed, or not named image/svg+xml")
            }
            var replacement = try embedded(drawing(data.bytes), taken: count, shared)
            let text = try SVGText.of(source, shared.limits)
            replacement.isStretched = !hasViewBox(text)
            return replacement
        }
        let picture = try EmbeddedPicture(
            format, data.bytes, readers: .embedded, limits: shared.limits)
        let size = picture.size
        let type = format == .png ? "image/png" : "image/jpeg"
        if format == .png || format == .jpeg, picture.isPlain,
            Container.completeness(of: source) == .whole
        {
            // Without a type librsvg queries a database of types, which a confined worker cannot see.
            let isNamed = data.type == type
            return Replacement(
                address: isNamed ? nil : DataAddress.text(type, data.bytes), size: size)
        }
        try take(size.pixelCount, from: shared, format)
        return try embedded(picture.pixels(), taken: size.pixelCount, shared)
    }

    private static func take(
        _ pixels: Int, from shared: SVGShared, _ format: ImageFormat
    ) throws(CodecError) {
        guard pixels <= shared.pixelsLeft else {
            throw CodecError(.tooManyPixels, format, "all pictures have too many pixels")
        }
        shared.pixelsLeft -= pixels
    }

    private static func hasViewBox(_ source: SourceBytes) -> Bool {
        source.withUnsafeBytes { bytes in
            guard let root = XMLTags(bytes).first(where: { _ in true }) else { return false }
            return XMLAttributes(bytes, of: root).contains {
                $0.name.count == 7 && bytes.has("viewBox", at: $0.name.lowerBound)
            }
        }
    }

    private static func embedded(
        _ pixels: consuming PixelBuffer, taken: Int, _ shared: SVGShared
    ) throws(CodecError) -> Replacement {
        let size = pixels.size
        // It may have been decoded smaller.
        shared.pixelsLeft += taken - size.pixelCount
        let file = try PNGEncoder.encode(pixels, allowsPalette: false)
        return Replacement(address: DataAddress.text("image/png", file), size: size)
    }
}
