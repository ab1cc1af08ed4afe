public import StickerValues

/// Visible flaws of a sticker, on any platform.
public enum AppearanceRule: String, Hashable, Sendable, CaseIterable {
    /// It is hardly visible in a dark chat.
    case vanishesOnDark = "vanishes-on-dark"
    /// It is hardly visible in a light chat.
    case vanishesOnLight = "vanishes-on-light"
    /// Its first frame, or all of it, is empty.
    case emptyFirstFrame = "empty-first-frame"
    /// The art is nearer to the edge than recommended.
    case margin

    /// The share that has to stand out, in percent. Of 928 pictures 41 were below it; all but seven of them were
    /// invisible in a chat, and those seven hardly visible.
    static let visiblePercentMin = 20
    /// Transparent pixels around the art that WhatsApp recommends, on a canvas of 512.
    static let marginPixelsMin = 16

    /// The rules that a sticker breaks.
    ///
    /// - Parameters:
    ///   - sticker: an entry of a manifest.
    ///   - targets: the rules of the targets, by name.
    /// - Returns: in the order of the cases; none if an older release made it without judging its pixels.
    public static func broken(
        by sticker: ManifestSticker, _ targets: [String: Target]
    ) -> [AppearanceRule] {
        guard let appearance = sticker.appearance else { return [] }
        return broken(
            by: appearance, moves: sticker.animated,
            hasMargin: sticker.canvas(among: targets)?.fit == .exact)
    }

    /// The rules that a picture breaks.
    ///
    /// - Parameters:
    ///   - appearance: its measured appearance.
    ///   - moves: whether it moves.
    ///   - hasMargin: whether the picture has more area than its art.
    /// - Returns: in the order of the cases.
    static func broken(
        by appearance: Appearance, moves: Bool, hasMargin: Bool
    ) -> [AppearanceRule] {
        allCases.filter { rule in
            // An empty picture has no other finding.
            let isBlank = appearance.startsEmpty && !moves
            return switch rule {
            case .vanishesOnDark: !isBlank && appearance.onDarkPercent < visiblePercentMin
            case .vanishesOnLight: !isBlank && appearance.onLightPercent < visiblePercentMin
            case .emptyFirstFrame: appearance.startsEmpty
            case .margin:
                hasMargin && appearance.marginPixels < marginPixelsMin
            }
        }
    }
}

extension ManifestSticker {
    /// The canvas on which it was judged: that of its first target. Fits other than an exact one end at the edge of the
    /// art.
    func canvas(among targets: [String: Target]) -> TargetCanvas? {
        files.first { $0.role == .sticker }?.target.flatMap { targets[$0] }?.canvas
    }
}
