import StickerConfiguration
import StickerTestSupport
import StickerValues
import Synchronization

@testable import StickerServices

/// A desk with a clock that tests turn by hand, and what it tells.
final class TestDesk: Sendable {
    static let key = "SecretKey123"

    let desk: UpstreamDesk
    let clock: TurnedClock
    /// The reports, in words.
    let told: WaitableValue<[String]>

    init(
        _ upstream: UpstreamConfiguration, key: String? = TestDesk.key, seconds: Int = 300
    ) {
        let (clock, told) = (TurnedClock(), WaitableValue<[String]>([]))
        var fetcher = Fetcher(agent: "test")
        (fetcher.seconds, fetcher.bytesMax) = (seconds, 200_000)
        desk = UpstreamDesk(upstream, key: key, fetcher: fetcher, clock: { clock.now }) { event in
            told.update { $0.append("\(event)") }
        }
        (self.clock, self.told) = (clock, told)
    }

    /// Asks until there is a new answer: a busy machine may take longer than a short limit allows.
    func askUntilAnswered(_ text: String) async -> UpstreamDesk.Found {
        while true {
            let found = await ask(text)
            guard found.lack != nil else { return found }
            clock.advance(seconds: 900)
        }
    }

    func ask(
        _ text: String = "", upTo ceiling: Rating = .restricted, _ offset: Int = 0,
        _ limit: Int = 200, patience: Duration = .seconds(300),
        forNews patienceForNews: Duration = .seconds(300)
    ) async -> UpstreamDesk.Found {
        await desk.stickers(
            text, upTo: ceiling, offset: offset, limit: limit, patience: patience,
            patienceForNews: patienceForNews)
    }
}

/// The time as a test says.
final class TurnedClock: Sendable {
    private let present = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { present.withLock { $0 } }

    func advance(seconds: Int) { present.withLock { $0 += .seconds(seconds) } }
}

extension UpstreamDesk.Found {
    var ids: [String]? { page?.stickers.map(\.identifier) }

    var fault: UpstreamFault? {
        if case .fault(let fault, _) = lack { fault } else { nil }
    }
}
