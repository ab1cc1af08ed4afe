/// The properties of drawings (SVG 2, property index).
enum SVGProperties {
    /// The inherited properties.
    static let inherited: Set<String> = [
        "clip-rule", "color", "color-interpolation", "color-interpolation-filters", "cursor",
        "direction", "dominant-baseline", "fill", "fill-opacity", "fill-rule", "font",
        "font-family", "font-feature-settings", "font-size", "font-size-adjust", "font-stretch",
        "font-style", "font-variant", "font-variant-caps", "font-weight", "font-kerning",
        "glyph-orientation-vertical", "image-rendering", "letter-spacing", "marker", "marker-end",
        "marker-mid", "marker-start", "paint-order", "pointer-events", "shape-rendering", "stroke",
        "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin",
        "stroke-miterlimit", "stroke-opacity", "stroke-width", "text-anchor", "text-rendering",
        "text-shadow", "text-transform", "visibility", "white-space", "word-spacing",
        "writing-mode",
    ]

    /// The initial values of properties that can be reset.
    static let initial: [String: String] = [
        "fill": "#000", "fill-opacity": "1", "fill-rule": "nonzero", "stroke": "none",
        "stroke-width": "1", "stroke-opacity": "1", "stroke-dasharray": "none",
        "stroke-dashoffset": "0", "stroke-linecap": "butt", "stroke-linejoin": "miter",
        "stroke-miterlimit": "4", "opacity": "1", "color": "#000", "stop-color": "#000",
        "stop-opacity": "1", "flood-color": "#000", "flood-opacity": "1",
        "lighting-color": "#fff", "visibility": "visible", "display": "inline", "filter": "none",
        "mask": "none", "clip-path": "none", "transform": "none", "font-size": "16px",
        "font-weight": "normal", "font-style": "normal", "text-anchor": "start",
        "letter-spacing": "normal", "mix-blend-mode": "normal", "isolation": "auto",
        "paint-order": "normal", "marker-start": "none", "marker-mid": "none",
        "marker-end": "none", "clip-rule": "nonzero", "text-decoration": "none",
        "baseline-shift": "baseline", "overflow": "visible",
    ]

    /// Attributes equivalent to the property of the same name, except `transform`, whose syntax differs.
    static let presentation: Set<String> = inherited.union(initial.keys).subtracting([
        "font", "transform", "marker",
    ]).union([
        "alignment-baseline", "cx", "cy", "r", "rx", "ry", "x", "y", "width", "height",
        "transform-origin", "transform-box", "vector-effect", "mask-type", "clip",
        "enable-background", "unicode-bidi",
    ])

    /// Places and sizes, which are properties only of `shaped` elements.
    static let geometry: Set<String> = ["x", "y", "width", "height", "cx", "cy", "r", "rx", "ry"]
    static let shaped: Set<String> = [
        "svg", "rect", "circle", "ellipse", "image", "use", "foreignObject",
    ]

    /// The properties whose negative values are invalid.
    static let positive: Set<String> = ["stroke-width", "stroke-miterlimit", "font-size"]

    /// The properties whose value is a colour.
    static let colors: Set<String> = ["color", "stop-color", "flood-color", "lighting-color"]
    /// The properties whose value is a colour, a reference, or `none`.
    static let paints: Set<String> = ["fill", "stroke"]

    /// Keywords of all properties.
    static let words: Set<String> = ["initial", "unset", "revert", "revert-layer"]

    /// The value of the property when it is reset as if unset.
    static func unset(_ name: String) -> String {
        inherited.contains(name) ? "inherit" : initial[name] ?? "auto"
    }

    /// Font sizes by keyword.
    static let fontSizes: [String: Double] = [
        "xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24,
        "xx-large": 32, "xxx-large": 48,
    ]

    /// Properties without lengths: units in their values are left alone.
    static let lengthless: Set<String> = ["font-family", "content", "src"]

    /// The reference of percentages: 0 width, 1 height, 2 diagonal.
    static let direction: [String: Int] = [
        "x": 0, "cx": 0, "width": 0, "rx": 0, "dx": 0, "y": 1, "cy": 1, "height": 1, "ry": 1,
        "dy": 1, "r": 2, "stroke-width": 2, "stroke-dashoffset": 2,
    ]
}
