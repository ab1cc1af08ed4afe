/// Why a published sticker has no file for one of its targets.
public struct Shortfall: Sendable, Hashable, Codable {
    /// The target.
    public var target: String
    /// The recipe that its file would have had; not in manifests.
    public var recipe: RecipeID?
    /// The rule that was broken.
    public var reason: Refusal.Reason
    /// One sentence for people.
    public var detail: String

    /// Creates the shortfall of a target that `refusal` rules out.
    public init(target: String, _ refusal: Refusal) {
        self.target = target
        reason = refusal.reason
        detail = refusal.detail
    }
}
