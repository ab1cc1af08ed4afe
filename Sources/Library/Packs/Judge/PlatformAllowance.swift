import StickerValues

/// The formats and sizes that a platform accepts besides those that stickerd makes: foreign packs are judged by them.
///
/// `Target` has one size and only the best format. Sources are those of its entries in `targets.json`, else the page
/// that `Platforms` names.
struct PlatformAllowance {
    var stills: Set<ImageFormat>
    var moving: Set<ImageFormat>
    /// Rules of its target that are only advice: breaking them is a warning.
    var advice: Set<String> = []
    /// The accepted sizes: empty if only that of its target, `nil` if any, which it scales itself.
    var sizes: [PixelSize]? = []

    init(_ platform: PackPlatform) {
        let bytes = "picture-bytes"
        let web: Set<ImageFormat> = [.png, .jpeg, .gif, .webp]
        switch platform {
        case .slack, .mastodon, .tuikit, .misskey, .zulip, .matrix: sizes = nil
        case .imessage: sizes = [300, 408, 618].map { PixelSize(width: $0, height: $0) }
        default: sizes = []
        }
        (stills, moving, advice) =
            switch platform {
            case .whatsapp: ([.webp], [.webp], [])
            case .signal: ([.webp, .png], [.png], [])
            case .telegram: ([.webp, .png], [], [])
            // Animated sets have other rules, which are not checked.
            case .line: ([.png], [.png], ["moves"])
            case .discord: ([.png], [.png, .gif], [])
            case .slack: ([.png, .jpeg, .gif], [.gif], [])
            case .imessage: ([.png, .jpeg, .gif], [.png, .gif], [])
            case .mastodon: ([.png, .gif], [.gif], [])
            case .tuikit: ([.png, .gif], [.gif], [bytes])
            case .imgly: ([.png, .jpeg, .gif], [.gif], [])
            case .misskey, .zulip, .matrix: (web, [.gif, .webp, .png], [bytes])
            }
    }

    /// Whether a picture may have its size, regardless of the target.
    func takesSize(of picture: PackPicture) -> Bool {
        guard let sizes else { return true }
        return sizes.contains(PixelSize(width: picture.width, height: picture.height))
    }

    /// Whether a picture may have its format.
    func takes(_ picture: PackPicture) -> Bool {
        (picture.moves ? moving : stills).contains(picture.format)
    }
}
