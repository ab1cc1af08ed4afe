import StickerTestSupport
import Testing

extension EndToEnd {
    /// How the programs are called, and what they say when that went wrong.
    struct UsageTests {
        @Test func everyFaultOfAConfigurationIsReportedAtOnce() async throws {
            let workshop = try Workshop()
            let faulty = """
                {"drops": [], "workers": 1000, "colour": "red", "watch": {"settleSeconds": "soon"},
                 "sticker": {"thumbnails": [{"pixels": 9}]}}
                """
            try workshop.folder.write(Array(faulty.utf8), to: "config.json")

            let drain = try await workshop.drain()
            let checked = try await workshop.stickerctl("check")

            let paths = [
                "drops", "workers", "colour", "watch.settleSeconds",
                "sticker.thumbnails[0].pixels",
            ]
            for path in paths {
                #expect(drain.errors.contains(path), "stickerd is silent about \(path)")
                #expect(checked.errors.contains(path), "stickerctl is silent about \(path)")
            }
            #expect(drain.exitCode == 78)
            #expect(checked.exitCode == 1)
        }

        @Test(arguments: [
            ["stickerd", "--drian"], ["stickerctl", "jobs", "--fiel"], ["stickerctl", "show"],
            ["stickerctl", "retry"], ["stickerctl", "jobs", "--state", "lost"],
        ])
        func wrongUsageHasItsOwnExitCode(command: [String]) async throws {
            let ending = try await Program(command[0], Array(command.dropFirst())).ending()

            #expect(ending.exitCode == 2)
            #expect(ending.errors.contains("Usage"))
        }

        @Test func configurationIsFoundBeforeAndBehindTheVerb() async throws {
            let workshop = try Workshop()
            #expect(try await workshop.drain().exitCode == 0)

            let before = try await Program("stickerctl", ["--config", workshop.config, "jobs"])
                .ending()
            let behind = try await Program("stickerctl", ["jobs", "--config", workshop.config])
                .ending()
            let around = try await Program(
                "stickerctl", ["jobs"], environment: ["STICKERD_CONFIG": workshop.config]
            ).ending()

            #expect([before, behind, around].map(\.exitCode) == [0, 0, 0])
            #expect(Set([before, behind, around].map(\.output)) == ["no such jobs\n"])
        }
    }
}
