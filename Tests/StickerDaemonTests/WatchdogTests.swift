import Logging
import StickerTestSupport
import Testing

@testable import StickerDaemon

struct WatchdogTests {
    private typealias Answer = @Sendable (Duration?) -> Void

    private let fed = WaitableValue(0)
    private let asked = WaitableValue<[String: Answer]>([:])

    /// A watchdog over two owners who answer when the test wants them to.
    private func watchdog() -> Watchdog {
        let owners = ["pool", "publisher"].map { name in
            Watchdog.Owner(name: name) { [asked] answer in asked.update { $0[name] = answer } }
        }
        return Watchdog(
            owners: owners, workMax: .seconds(45), logger: Logger(label: "test"),
            feed: { [fed] in fed.update { $0 += 1 } })
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

        answers["pool"]?(.seconds(45))
        answers["publisher"]?(nil)

        #expect(await fed.wait { $0 == 1 } == 1)
    }

    @Test func hungOwnerStarvesIt() async throws {
        let watchdog = watchdog()
        watchdog.ask()
        let answers = try await answers()

        answers["pool"]?(nil)
        watchdog.ask()
        watchdog.ask()

        // Asking anew would have replaced the answers.
        #expect(await asked.wait(upTo: .milliseconds(200)) { !$0.isEmpty } == nil)
        #expect(fed.value == 0)
        answers["publisher"]?(nil)
        #expect(await fed.wait { $0 == 1 } == 1)
    }

    @Test func jobThatNeverEndsStarvesIt() async throws {
        let watchdog = watchdog()
        watchdog.ask()
        let stuck = try await answers()
        stuck["pool"]?(.seconds(46))
        stuck["publisher"]?(nil)

        watchdog.ask()
        let later = try await answers()
        #expect(fed.value == 0)
        later["pool"]?(nil)
        later["publisher"]?(nil)

        #expect(await fed.wait { $0 == 1 } == 1)
    }
}
