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
}
