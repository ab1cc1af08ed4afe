/// Every platform that packs can be made for.
public enum Platforms {
    /// In the order in which they are shown.
    public static let all: [any PackMaking] = [
        WhatsApp(),
        Discord(),
        IMessage(),
        Line(),
        Signal(),
        Telegram(),
        TUIKit(),
    ]
}
