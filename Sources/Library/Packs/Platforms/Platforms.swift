/// Every platform that packs can be made for.
public enum Platforms {
    /// In the order in which they are shown.
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
