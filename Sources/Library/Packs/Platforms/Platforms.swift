/// All platforms with packs.
public enum Platforms {
    /// In display order.
    public static let all: [any PackMaking] = [
        Discord(),
        IMessage(),
        IMGLY(),
        Line(),
        Mastodon(),
        Matrix(),
        Misskey(),
        Signal(),
        Slack(),
        Telegram(),
        TUIKit(),
        WhatsApp(),
        Zulip(),
    ]

    /// The platform whose clients `TUIKitResolver` imitates.
    public static let tuikit: any PackMaking = TUIKit()

    /// The rule of IMG.LY about a missing setting, which affects all categories.
    public static let noBaseURL = "no-base-url"
}
