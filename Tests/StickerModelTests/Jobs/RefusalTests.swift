import Testing

@testable import StickerModel

struct RefusalTests {
    @Test(arguments: Refusal.Reason.allCases)
    func usersAreToldNothingOfTheMachine(reason: Refusal.Reason) {
        let refusal = Refusal(
            reason, "/srv/stickerd/fonts has no fonts", measured: "9 s",
            limit: "3 s (limits.wallSecondsMax)",
            remedy: "run fonts.sh, then: stickerctl retry --reason \(reason.rawValue)")

        let told = refusal.forUsers

        #expect(told.reason == reason && told.measured == "9 s" && told.limit == "3 s")
        let words = "\(told.detail). \(told.remedy)."
        #expect(!words.contains("/") && !words.contains("stickerctl") && !words.contains("limits"))
        #expect(!told.detail.isEmpty && !told.remedy.isEmpty)
    }

    @Test func commandsNameTheirLibrary() {
        let command = OperatorCommand("show 1")

        #expect(command.typed(isOfUploads: true) == "stickerctl --personal show 1")
        #expect(command.typed(isOfUploads: false) == "stickerctl show 1")
        #expect("see: \(stickerctl: "show \(1)")" == "see: stickerctl show 1")
    }
}
