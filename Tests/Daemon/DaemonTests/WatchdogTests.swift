import Logging
import StickerTestSupport
import Testing

@testable import StickerDaemon

struct WatchdogTests {
    private typealias Answer = @Sendable () -> Void

    private let fed = WaitableValue(0)
    private let asked = WaitableValue<[String: Answer]>([:])

    /// A watchdog over two owners who answer when the test wants them to.
    private func watchdog() -> Watchdog {
        Watchdog(
            owners: ["pool": ping("pool"), "publisher": ping("publisher")],
            logger: Logger(label: "test"), feed: { [fed] in fed.update { $0 += 1 } })
    }

    private func ping(_ owner: String) -> Watchdog.Ping {
        { [asked] answer in asked.update { $0[owner] = answer } }
    }

    private func answers() async throws -> [String: Answer] {
        let all = try #require(await asked.wait { $0.count == 2 })
        asked.update { $0 = [:] }
        return all
    }

    @Test func fedWhenEveryOwnerAnswered() async throws {
        let watchdog = watchdog()
        watchdog.ask()
        let answers = try await answers()

        answers["pool"]?()
        answers["publisher"]?()

        #expect(await fed.wait { $0 == 1 } == 1)
    }

    @Test func hungOwnerStarvesIt() async throws {
        let watchdog = watchdog()
        watchdog.ask()
        let answers = try await answers()

        answers["pool"]?()
        watchdog.ask()
        watchdog.ask()

        // Asking again would have replaced the answers.
        #expect(await asked.wait(upTo: .milliseconds(200)) { !$0.isEmpty } == nil)
        #expect(fed.value == 0)
        answers["publisher"]?()
        #expect(await fed.wait { $0 == 1 } == 1)
    }
}
