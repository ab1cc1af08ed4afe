import StickerRaster
import StickerValues

extension Stage {
    /// Recolours the art; `nil` to keep its colours.
    static func tint(_ tint: StickerSettings.Tint) -> Stage? {
        let color = ColorCode.parse(tint.color) ?? SIMD3(repeating: 0)
        return switch tint.mode {
        case .none: nil
        case .solid: Stage(name: "tint") { frame, _ in frame.filled(with: color) }
        case .colorized: Stage(name: "tint") { frame, _ in frame.colorized(by: color) }
        }
    }
}
