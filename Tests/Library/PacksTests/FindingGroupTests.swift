import StickerPacks
import StickerValues
import Testing

/// Common parts of several findings are reported once.
struct FindingGroupTests {
    private func finding(
        _ sticker: String, _ detail: String = "too long", limit: String = "125",
        measured: String = "159", remedy: String? = nil
    ) -> Finding {
        Finding(
            "text-cut", .warning, pack: "cats", sticker: StickerID(rawValue: sticker),
            file: "\(sticker).png", detail, measured: measured, limit: limit,
            remedy: remedy ?? "stickerctl set \(sticker) --title TEXT")
    }

    @Test func whatDiffersInTheStickerAloneIsOneGroup() {
        let groups = FindingGroup.groups(of: [
            finding("wave"), finding("nap", measured: "130"), finding("run", limit: "255"),
            finding("hop", "too short"), finding("sit"),
        ])
        #expect(
            groups.map { $0.findings.compactMap(\.sticker?.rawValue) } == [
                ["wave", "nap", "sit"], ["run"], ["hop"],
            ])
        #expect(groups.allSatisfy { $0.remedy == "stickerctl set STICKER --title TEXT" })
    }

    @Test func severityRuleAndRemedyPartGroups() {
        var fault = finding("wave")
        fault.severity = .fault
        var other = finding("wave")
        other.rule = "title-cut"
        let all = [finding("wave"), fault, other, finding("wave", remedy: "drop another")]
        #expect(FindingGroup.groups(of: all).map(\.findings.count) == [1, 1, 1, 1])
        #expect(FindingGroup.groups(of: []).isEmpty)
    }

    /// Ids are words, and some of them stand in every command.
    @Test func idThatIsAWordOfTheRemedyIsNotTakenForTheSticker() {
        let remedy = "stickerctl set set --emoji EMOJI; or set another"
        let groups = FindingGroup.groups(of: [finding("set", remedy: remedy)])
        #expect(groups[0].remedy == "stickerctl set STICKER --emoji EMOJI; or set another")
    }
}
