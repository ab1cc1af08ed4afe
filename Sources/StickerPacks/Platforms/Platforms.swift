public import StickerModel

/// Every platform that packs can be made for.
public enum Platforms {
    /// In the order in which they are shown.
    public static let all: [any PackMaking] = [WhatsApp()]

    /// The platform of this name.
    public static func named(_ platform: PackPlatform) -> (any PackMaking)? {
        all.first { $0.platform == platform }
    }
}
