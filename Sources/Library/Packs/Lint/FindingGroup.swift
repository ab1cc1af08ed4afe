public import StickerModel

/// Findings that say the same of several stickers or packs, so that it is said once.
public struct FindingGroup: Hashable, Sendable {
    /// The rule.
    public let rule: String
    /// How bad it is.
    public let severity: Finding.Severity
    /// What is wrong.
    public let detail: String
    /// The value that is allowed.
    public let limit: String?
    /// What to do about it; where a command names the sticker, it says `STICKER`.
    public let remedy: String
    /// What it is said of, in order; at least one.
    public private(set) var findings: [Finding]

    /// Puts together what differs in nothing but sticker, file, pack and measured value.
    ///
    /// - Parameter findings: any findings.
    /// - Returns: groups in the order of their first findings.
    public static func groups(of findings: [Finding]) -> [FindingGroup] {
        var groups: [FindingGroup] = []
        var places: [FindingGroup: Int] = [:]
        for finding in findings {
            let key = FindingGroup(finding)
            let place = places[key] ?? groups.count
            places[key] = place
            if place == groups.count { groups.append(key) }
            groups[place].findings.append(finding)
        }
        return groups
    }

    /// What findings of one group have in common.
    private init(_ finding: Finding) {
        rule = finding.rule
        severity = finding.severity
        detail = finding.detail
        limit = finding.limit
        remedy = finding.remedyOfAnySticker
        findings = []
    }
}

extension Finding {
    /// The remedy with `STICKER` where a command names the sticker, which is behind the verb.
    fileprivate var remedyOfAnySticker: String {
        guard let sticker else { return remedy }
        var words = remedy.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        for index in words.indices.dropFirst(2)
        where words[index] == sticker.rawValue
            && words[..<(index - 1)].suffix(2).contains("stickerctl")
        {
            words[index] = "STICKER"
        }
        return words.joined(separator: " ")
    }
}
