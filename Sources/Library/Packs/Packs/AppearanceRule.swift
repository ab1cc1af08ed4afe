public import StickerModel

/// What people would see of a sticker that they should not, whatever the platform.
public enum AppearanceRule: String, Hashable, Sendable, CaseIterable {
    /// It can hardly be made out in a dark chat.
    case vanishesOnDark = "vanishes-on-dark"
    /// It can hardly be made out in a light chat.
    case vanishesOnLight = "vanishes-on-light"
    /// Before it plays it shows nothing, or it shows nothing at all.
    case emptyFirstFrame = "empty-first-frame"
    /// The art comes nearer to the edge than recommended.
    case margin

    /// The share that has to stand out, in percent. Of 928 pictures 41 were below it; all but seven of them could not be
    /// made out in a chat, and those with some effort.
    static let visiblePercentMin = 20
    /// Transparent pixels around the art that WhatsApp recommends, on a canvas of 512.
    static let marginPixelsMin = 16

    /// The rules that a sticker breaks.
    ///
    /// - Parameters:
    ///   - sticker: an entry of a manifest.
    ///   - targets: the rules of the targets, by name.
    /// - Returns: in the order of the cases; none if it was made by a release that did not judge its pixels.
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
    ///   - appearance: how it looks.
    ///   - moves: whether it moves.
    ///   - hasMargin: whether there is more to the picture than its art.
    /// - Returns: in the order of the cases.
    static func broken(
        by appearance: Appearance, moves: Bool, hasMargin: Bool
    ) -> [AppearanceRule] {
        allCases.filter { rule in
            // Of a picture that shows nothing, nothing else is to be said.
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
    /// The canvas on which it was judged: that of its first target. Other fits than an exact one end where the art does.
    func canvas(among targets: [String: Target]) -> TargetCanvas? {
        files.first { $0.role == .sticker }?.target.flatMap { targets[$0] }?.canvas
    }
}
