import StickerPacks
import StickerValues

/// The findings about a category, or about packs in a folder, for one platform.
struct LintReport: Encodable {
    let platform: PackPlatform
    /// The place of the packs below the checked path, or the id of one category of several; absent for a single one.
    private(set) var path: String?
    let ready: Bool
    let packs: [Readiness.Pack]
    let findings: [Finding]
    /// Whether the category has only smart stickers, which are in no pack.
    private var isSmart = false

    enum CodingKeys: CodingKey { case platform, path, ready, packs, findings }

    init(
        _ platform: PackPlatform, _ plan: PackPlan, of source: PackSource? = nil,
        besides further: [Finding] = []
    ) {
        let planned = plan.readiness(limit: .max)
        self.init(platform, planned.packs, planned.findings + further)
        isSmart = source?.isSmart == true
    }

    /// Packs in a folder or an archive.
    ///
    /// - Parameters:
    ///   - pack: the checked pack.
    ///   - findings: its findings.
    ///   - prefix: an archive in the folder, with a slash; or nothing.
    init(_ pack: JudgedPack, _ findings: [Finding], below prefix: String) {
        self.init(
            pack.platform, pack.packs,
            findings.map { finding in
                var finding = finding
                finding.file = finding.file.map { prefix + $0 }
                return finding
            })
        path = prefix + pack.path
    }

    /// The same about one category of several.
    func named(_ name: String) -> LintReport {
        var named = self
        named.path = name
        return named
    }

    private init(_ platform: PackPlatform, _ packs: [Readiness.Pack], _ findings: [Finding]) {
        self.platform = platform
        self.packs = packs
        let sorted = [.fault, .warning].flatMap { severity in
            findings.filter { $0.severity == severity }
        }
        self.findings = sorted
        ready = Readiness(packs: packs, findings: sorted).ready
    }

    /// The most lines of different findings per rule.
    private static let shownAtMost = 3

    var lines: [String] {
        let faults = findings.count { $0.severity == .fault }
        let warnings = findings.count - faults
        var counts: [String] = []
        if faults > 0 { counts.append(faults.counted("fault", "faults")) }
        if warnings > 0 { counts.append(warnings.counted("warning", "warnings")) }
        let none = isSmart ? "no packs, as smart stickers are in none" : "no packs"
        let state = !ready ? Style.alarming("not ready") : packs.isEmpty ? none : "ready"
        let place = path.map { $0.isEmpty ? "" : "  \(FileName.escaped($0))" } ?? ""
        var lines = ["\(platform.rawValue): \(([state] + counts).joined(separator: ", "))\(place)"]
        lines += packs.map { pack in
            let count = pack.stickers.counted("sticker", "stickers")
            return "  \(FileName.escaped(pack.title).cut(to: 60)), \(count)"
        }
        return lines + Self.lines(of: findings)
    }

    /// The lines about findings, grouped by rule.
    static func lines(of findings: [Finding]) -> [String] {
        let groups = FindingGroup.groups(of: findings)
        var rules: [String] = []
        for group in groups where !rules.contains(group.rule) { rules.append(group.rule) }
        return rules.flatMap { rule in lines(of: groups.filter { $0.rule == rule }) }
    }

    /// The lines about one rule: a shared remedy is printed once below.
    private static func lines(of groups: [FindingGroup]) -> [String] {
        var lines: [String] = []
        var helped: [Finding] = []
        let shown = groups.prefix(shownAtMost)
        for (index, group) in shown.enumerated() {
            lines += group.lines
            helped += group.findings
            guard index + 1 == shown.count || shown[index + 1].remedy != group.remedy else {
                continue
            }
            let remedy = helped.count == 1 ? helped[0].remedy : group.remedy
            lines += "    \(FileName.escaped(remedy))".wrapped(indent: 4)
            helped = []
        }
        let more = groups.dropFirst(shownAtMost).reduce(0) { $0 + $1.findings.count }
        return more > 0
            ? lines + ["    and \(more.grouped) more like these; --json lists all"] : lines
    }
}

extension FindingGroup {
    /// The most subjects in one line.
    private static let namedAtMost = 5

    /// The finding, followed by its subjects if there are several.
    fileprivate var lines: [String] {
        let isAlone = findings.count == 1
        // Measured values are printed beside each subject, unless they are all equal.
        let measured = Set(findings.map(\.measured)).count == 1 ? findings[0].measured : nil
        let subject = isAlone ? findings[0].subject.map { "\($0): " } ?? "" : ""
        let figures = [measured, limit.map { "allowed \($0)" }].compactMap(\.self)
            .joined(separator: ", ")
        let text = subject + detail + (figures.isEmpty ? "" : " (\(figures))")
        let head = "  \(severity.rawValue) \(rule)  \(FileName.escaped(text))".wrapped(indent: 4)
        guard !isAlone else { return head }
        let names = findings.prefix(Self.namedAtMost).compactMap { finding in
            let own = measured == nil ? finding.measured.map { " (\($0))" } ?? "" : ""
            return finding.subject.map { $0 + own }
        }.joined(separator: ", ")
        let more = findings.count - Self.namedAtMost
        let rest = more > 0 ? " and \(more.grouped) more; --json lists all" : ""
        return head + "    \(FileName.escaped(names))\(rest)".wrapped(indent: 4)
    }
}

extension Finding {
    fileprivate var subject: String? { file ?? pack ?? sticker?.rawValue }
}
