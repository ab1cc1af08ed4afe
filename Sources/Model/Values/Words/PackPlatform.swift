/// A platform that imports packs.
public enum PackPlatform: String, Hashable, Sendable, Codable, CodingKeyRepresentable, CaseIterable
{
    case whatsapp, imgly, tuikit, signal, telegram, discord, slack, matrix, mastodon, misskey, zulip
    case imessage, line

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
