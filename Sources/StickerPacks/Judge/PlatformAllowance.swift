import StickerModel

/// What a platform takes besides what stickerd makes for it: packs of others are judged by that.
///
/// `Target` has one size and the best format alone. Sources are those of its entries in `targets.json`, and where they say
/// nothing of a format, the page that `Platforms` names.
struct PlatformAllowance {
    /// The formats of pictures that stand still.
    var stills: Set<ImageFormat>
    /// The formats of pictures that move.
    var moving: Set<ImageFormat>
    /// Rules of its target that are advice of ours or its own, so that breaking them is a warning.
    var advice: Set<String> = []

    /// What a platform takes.
    init(_ platform: PackPlatform) {
        let size = "picture-size"
        let bytes = "picture-bytes"
        let web: Set<ImageFormat> = [.png, .jpeg, .gif, .webp]
        (stills, moving, advice) =
            switch platform {
            case .whatsapp: ([.webp], [.webp], [])
            case .signal: ([.webp, .png], [.png], [])
            case .telegram: ([.webp, .png], [], [])
            // Sets that move have other rules, which are not looked at.
            case .line: ([.png], [.png], ["moves"])
            case .discord: ([.png], [.png, .gif], [])
            case .slack: ([.png, .jpeg, .gif], [.gif], [size])
            case .imessage: ([.png, .jpeg, .gif], [.png, .gif], [size])
            case .mastodon: ([.png, .gif], [.gif], [size])
            case .tuikit: ([.png, .gif], [.gif], [size, bytes])
            case .imgly: ([.png, .jpeg, .gif], [.gif], [])
            case .misskey, .zulip, .matrix: (web, [.gif, .webp, .png], [size, bytes])
            }
    }

    /// Whether a picture may have its format.
    func takes(_ picture: PackPicture) -> Bool {
        (picture.moves ? moving : stills).contains(picture.format)
    }
}
