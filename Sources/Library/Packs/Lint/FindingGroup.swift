public import StickerValues

/// The same finding about several stickers or packs, to be shown once.
public struct FindingGroup: Hashable, Sendable {
    /// The rule.
    public let rule: String
    /// The severity.
    public let severity: Finding.Severity
    /// The problem.
    public let detail: String
    /// The allowed value.
    public let limit: String?
    /// The remedy; `STICKER` stands for the sticker in a command.
    public let remedy: String
    /// The single findings, in order; at least one.
    public private(set) var findings: [Finding]

    /// Groups findings that differ only in sticker, file, pack and measured value.
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

    /// The common part of findings of one group.
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
    /// The remedy with `STICKER` for the sticker, which follows the verb in a command.
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
