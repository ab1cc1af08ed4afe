/// A platform that imports packs.
public enum PackPlatform: String, Hashable, Sendable, Codable, CodingKeyRepresentable, CaseIterable
{
    case whatsapp, imgly, tuikit, signal, telegram, discord, slack, matrix, mastodon, misskey, zulip
    case imessage, line

    /// Its own spelling of its name.
    public var title: String {
        switch self {
        case .whatsapp: "WhatsApp"
        case .imgly: "IMG.LY"
        case .tuikit: "TUIKit"
        case .imessage: "iMessage"
        case .line: "LINE"
        case .signal, .telegram, .discord, .slack, .matrix, .mastodon, .misskey, .zulip:
            rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }

    /// The platforms for which an app may need the packs of all categories in one folder.
    public static let ofLibrary = [whatsapp, imgly]

    /// The target whose files its packs hold; `nil` for platforms that use the companions.
    public var target: String? {
        switch self {
        case .imgly: nil
        case .imessage: "imessage_medium"
        default: rawValue
        }
    }
}
