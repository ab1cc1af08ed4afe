/// Size and place of a mark as in the watermark option of IMG.LY's editors; the mark keeps its shape.
///
/// Source: `WatermarkOptions` of https://github.com/imgly/vesdk-react-native.
public struct IMGLYPlace: Hashable, Sendable, Codable {
    /// The place of a mark.
    public enum Alignment: String, CaseIterable, Sendable, Codable {
        /// In a corner.
        case topLeft = "top-left"
        case topRight = "top-right"
        case bottomLeft = "bottom-left"
        case bottomRight = "bottom-right"
        /// In the middle.
        case center
    }

    /// The longer side of the mark as a fraction of the canvas's shorter one, 0 to 1.
    public var size = 0.2
    /// The distance from the edges, as a fraction of the canvas's shorter side, 0 to 0.5.
    public var inset = 0.05
    /// Its place.
    public var alignment = Alignment.topRight

    /// Creates the default place.
    public init() {}

    /// The size of the mark in pixels and the place of its upper left corner, before rounding.
    func frame(
        own: PixelSize, on canvas: PixelSize
    ) -> (width: Double, height: Double, x: Double, y: Double) {
        let short = Double(min(canvas.width, canvas.height))
        let scale = size * short / Double(own.longSide)
        let (width, height) = (Double(own.width) * scale, Double(own.height) * scale)
        let (right, bottom) = (Double(canvas.width) - width, Double(canvas.height) - height)
        let gap = inset * short
        return switch alignment {
        case .topLeft: (width, height, gap, gap)
        case .topRight: (width, height, right - gap, gap)
        case .bottomLeft: (width, height, gap, bottom - gap)
        case .bottomRight: (width, height, right - gap, bottom - gap)
        case .center: (width, height, right / 2, bottom / 2)
        }
    }
}
