import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerValues

struct RefusalTests {
    @Test(arguments: Refusal.Reason.allCases)
    func usersAreToldNothingOfTheMachine(reason: Refusal.Reason) {
        let refusal = Refusal(
            reason, "/srv/stickerd/fonts has no fonts", measured: "9 s",
            limit: "3 s (limits.cpuSecondsMax)",
            remedy: "run fonts.sh, then: stickerctl retry --reason \(reason.rawValue)")

        let told = refusal.forUsers

        #expect(told.reason == reason && told.measured == "9 s" && told.limit == "3 s")
        let words = "\(told.detail). \(told.remedy)."
        #expect(!words.contains("/") && !words.contains("stickerctl") && !words.contains("limits"))
        #expect(!told.detail.isEmpty && !told.remedy.isEmpty)
    }

    @Test(arguments: [
        ([], ""), (["--personal"], "--personal "), (["--config", "HERE/config.json"], ""),
        (["--config=other.json"], "--config HERE/other.json "),
        (["--personal", "--config", "/a b.json"], "--config '/a b.json' --personal "),
    ])
    func commandsNameTheirLibrary(arguments: [String], expected: String) throws {
        let folder = try TemporaryFolder()
        try folder.write([], to: "config.json")
        func options(isTrusted: Bool, _ environment: [String: String] = [:]) -> String {
            OperatorCommand.options(
                of: ["stickerctl"] + arguments.map { $0.replacing("HERE", with: folder.path) },
                environment: environment, workingFolder: folder.path, isTrusted: isTrusted)
        }

        #expect(options(isTrusted: true) == expected.replacing("HERE", with: folder.path))
        #expect("see: \(stickerctl: "show \(1)")" == "see: stickerctl show 1")
        if arguments.last == "HERE/config.json" {
            // A message of the daemon is read elsewhere.
            let daemon = OperatorCommand.options(
                of: ["/usr/bin/stickerd", "--config", "config.json"], environment: [:],
                workingFolder: folder.path, isTrusted: true)
            #expect(daemon == "--config \(folder.path("config.json")) ")
            // Root reads no configuration of the folder that it is in.
            let named = "--config \(folder.path("config.json")) "
            #expect(options(isTrusted: false) == named)
            let environment = ["STICKERD_CONFIG": folder.path("config.json")]
            #expect(options(isTrusted: false, environment).isEmpty)
        }
    }
}
