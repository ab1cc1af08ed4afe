/// Why a published sticker has no file for one of its targets.
public struct Shortfall: Sendable, Hashable, Codable {
    /// The target.
    public var target: String
    /// The recipe that its file would have had.
    public var recipe: RecipeID?
    /// The violated rule.
    public var reason: Refusal.Reason
    /// One sentence with the measured value.
    public var detail: String
    /// The allowed value, with the configuration key that sets it.
    public var limit: String?
    /// The remedy.
    public var remedy: String?

    /// Creates the shortfall of a target that `refusal` rules out.
    public init(target: String, _ refusal: Refusal) {
        self.target = target
        reason = refusal.reason
        detail = refusal.detail + (refusal.measured.map { ": \($0)" } ?? "")
        limit = refusal.limit
        remedy = refusal.remedy
    }

    /// The form for manifests, without the operator's details.
    public var published: Shortfall {
        var published = self
        (published.recipe, published.limit, published.remedy) = (nil, nil, nil)
        return published
    }

    /// All details for an operator, in one line.
    public var explained: String {
        var text = "\(reason.rawValue): \(detail)"
        if let limit { text += ", limit \(limit)" }
        if let remedy { text += "; \(remedy)" }
        return text
    }
}
