import StickerTestSupport
import Testing

@testable import StickerDaemon

struct ServiceManagerTests {
    private let sent = WaitableValue<[String]>([])

    private func manager() -> ServiceManager {
        ServiceManager(watchdogInterval: nil) { [sent] message in sent.update { $0 += [message] } }
    }

    @Test func readyIsSaidOnce() {
        let manager = manager()

        manager.ready(status: "watching 6 categories")
        manager.ready(status: "watching 7 categories")

        #expect(sent.value == ["READY=1\nSTATUS=watching 6 categories"])
    }

    @Test func reloadTellsItsMomentAndItsEnd() throws {
        let manager = manager()
        manager.ready(status: "")

        manager.reloading()
        manager.reloaded()

        let message = try #require(sent.value.dropFirst().first)
        #expect(message.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        #expect(try #require(Int(message.split(separator: "=").last ?? "")) > 0)
        #expect(sent.value.last == "READY=1")
    }

    @Test func reloadBeforeTheStartIsOverDoesNotSayReady() {
        let manager = manager()

        manager.reloading()
        manager.reloaded()

        #expect(sent.value.isEmpty)
    }

    @Test func onlyAStartIsExtended() {
        let manager = manager()

        manager.stillStarting(extra: .seconds(90))
        manager.ready(status: "")
        manager.stillStarting(extra: .seconds(90))
        manager.stopping()

        #expect(sent.value.first == "EXTEND_TIMEOUT_USEC=90000000")
        #expect(sent.value.last == "STOPPING=1\nSTATUS=stopping")
        #expect(sent.value.count == 3)
    }
}
