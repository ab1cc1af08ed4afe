import Foundation
import StickerStore
import StickerTestSupport
import Testing

/// A daemon as a process of its own, told by signals.
@Suite(.serialized)
struct ReloadTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("drop/cats")
        try write(#""workers": 1"#)
    }

    private func write(_ settings: String) throws {
        try folder.write(Array("{\(settings)}".utf8), to: "config.json")
    }

    private func record() throws -> ConfigurationRecord? {
        try LibraryStore(path: folder.path("state/stickerd.sqlite"), access: .reader)
            .operations.configurationRecord()
    }

    @Test func lifeIsToldToTheServiceManager() async throws {
        let daemon = try RunningDaemon(folder, environment: ["WATCHDOG_USEC": "400000"])

        #expect(await daemon.says("READY=1\nSTATUS=watching 0 "))
        #expect(await daemon.says("WATCHDOG=1"))
        #expect(daemon.stop() == 0)
        #expect(await daemon.says("STOPPING=1"))
    }

    @Test func goodConfigurationIsPutInForceAndTold() async throws {
        let daemon = try RunningDaemon(folder)
        #expect(await daemon.says("READY=1"))
        try write(#""workers": 2, "out": "elsewhere", "watch": { "backend": "polling" }"#)

        daemon.send(SIGHUP)

        #expect(await daemon.says("RELOADING=1\nMONOTONIC_USEC="))
        #expect(await daemon.logs("configuration reloaded, "))
        let log = daemon.log.value
        #expect(log.contains("setting changed key=workers new=2 old=1"))
        #expect(log.contains("setting changed, it needs a restart key=out"))
        #expect(await daemon.logs("watch.backend=polling"))
        #expect(try record()?.settings["workers"] == "2")
        #expect(try record()?.settings["out"]?.hasSuffix("/out\"") == true)
        #expect(daemon.stop() == 0)
    }

    /// The list for operators.
    private func attention() throws -> String {
        try String(contentsOfFile: folder.path("run/attention.json"), encoding: .utf8)
    }

    @Test func unknownLanguageKeepsNobodyFromStarting() async throws {
        try write(#""smart": { "locale": "xx" }"#)
        let daemon = try RunningDaemon(folder)

        #expect(await daemon.says("READY=1"))
        #expect(daemon.log.value.contains("its smart stickers are in English detail="))
        #expect(await waitUntil { (try? attention())?.contains("there is no locale") == true })
        try write(#""smart": { "locale": "zh_TW" }"#)
        daemon.send(SIGHUP)
        #expect(await daemon.logs("configuration reloaded, "))
        #expect(await waitUntil { (try? attention())?.contains("there is no locale") == false })
        try write(#""smart": { "locale": "xx" }"#)
        daemon.send(SIGHUP)
        #expect(await daemon.logs("there is no locale"))
        #expect(daemon.stop() == 0)
    }

    @Test func faultyConfigurationLeavesTheOldOneInForce() async throws {
        let daemon = try RunningDaemon(folder)
        #expect(await daemon.says("READY=1"))
        try write(#""workers": 99, "colour": 1"#)

        daemon.send(SIGHUP)

        #expect(await daemon.logs("unknown key"))
        #expect(await daemon.messages.wait { $0.last == "READY=1" } != nil)
        #expect(try record()?.settings["workers"] == "1")
        #expect(try record()?.faults.count == 2)
        #expect(daemon.stop() == 0)
    }

    @Test func profileIsReadAgainAndOneThatWillNotDoLeavesTheOldOneInForce() async throws {
        try folder.write(TestICC.inks.bytes, to: "inks.icc")
        try write(#""color": { "cmykProfile": "inks.icc" }"#)
        let daemon = try RunningDaemon(folder)
        #expect(await daemon.says("READY=1"))
        let first = try record()?.settings["color.cmykProfile"]

        var cut = TestICC.inks
        cut.tags[0].data.removeLast(900)
        try folder.write(cut.bytes, to: "inks.icc")
        daemon.send(SIGHUP)
        #expect(await daemon.logs("inks.icc cannot be used"))
        #expect(await daemon.messages.wait { $0.last == "READY=1" } != nil)
        #expect(try record()?.settings["color.cmykProfile"] == first)
        #expect(try record()?.faults.count == 1)

        var other = TestICC.inks
        other.tags[0].data[48 + 4 * 256 + 8 * 3] = 0
        try folder.write(other.bytes, to: "inks.icc")
        daemon.send(SIGHUP)
        #expect(await daemon.logs("setting changed key=color.cmykProfile"))
        #expect(await daemon.logs("configuration reloaded, "))
        #expect(try record()?.settings["color.cmykProfile"] != first)
        #expect(daemon.stop() == 0)
    }

    @Test func newFilesAreSeenAfterTheWatchWasChanged() async throws {
        let daemon = try RunningDaemon(folder)
        #expect(await daemon.says("READY=1"))
        try write(#""watch": { "rescanSeconds": 200 }"#)
        daemon.send(SIGHUP)
        #expect(await daemon.logs("configuration reloaded, "))

        try folder.write(Array("not a picture".utf8), to: "drop/cats/a.psd")

        let database = folder.path("state/stickerd.sqlite")
        let isSeen = try await waitUntil {
            try LibraryStore(path: database, access: .reader).operations.status().needAttention == 1
        }
        #expect(isSeen)
        #expect(daemon.stop() == 0)
    }
}
