import Foundation
import StickerCodecs
import StickerConfiguration
import StickerRaster
import StickerStore
import StickerTestSupport
import StickerValues
import Testing

/// Trouble of the system that heals: nothing is refused for it, nothing is lost, nobody is asked.
///
/// The daemon runs in a mount namespace of its own, which takes root; elsewhere this is skipped.
@Suite(.serialized, .enabled(if: RunningDaemon.canMount, "needs root and mount namespaces"))
struct TroubleTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["drop/cats", "share/cats", "out", "state"] { try folder.makeFolder(name) }
        let settings = #"{ "publish": { "freeSpaceReserveBytes": 0 } }"#
        try folder.write(Array(settings.utf8), to: "config.json")
        for side in 1...3 {
            let picture = PixelBuffer.gradient(PixelSize(width: side, height: side))
            try folder.write(try PNGEncoder.encode(picture), to: "share/cats/\(side).png")
        }
    }

    private func daemon(_ mount: String) async throws -> RunningDaemon {
        let daemon = try RunningDaemon(folder, mount: mount)
        #expect(await daemon.logs("start scan finished"))
        return daemon
    }

    private func status() throws -> StoreStatus {
        try LibraryStore(path: folder.path("state/stickerd.sqlite"), access: .reader).operations
            .status()
    }

    private func waits(_ isMet: @escaping (StoreStatus) -> Bool) async throws -> Bool {
        try await waitUntil { try isMet(status()) }
    }

    @Test func fullDiskPausesAndGoesOn() async throws {
        let daemon = try await daemon("mount -t tmpfs -o nr_inodes=262 tmpfs out")
        try daemon.run("cp share/cats/*.png drop/cats/")
        #expect(await daemon.logs("paused, goes on by itself"))
        #expect(try await waits { $0.working == 0 && $0.waiting > 0 && $0.needAttention == 0 })

        try daemon.run("mount -o remount,nr_inodes=10000 out")

        #expect(await daemon.logs("resumed"))
        #expect(try await waits { $0.stickers == 3 && $0.waiting == 0 && $0.needAttention == 0 })
        #expect(daemon.log.value.ranges(of: "paused").count == 1)
    }

    @Test func fullDatabaseIsToldOnceAndNothingIsLost() async throws {
        let daemon = try await daemon("mount -t tmpfs -o size=6m tmpfs state")
        try daemon.run("dd if=/dev/zero of=state/filler bs=4k 2>/dev/null || true")
        try daemon.run("cp share/cats/*.png drop/cats/")
        #expect(await daemon.logs("paused, goes on by itself"))
        try daemon.run("touch drop/cats/1.png")

        try daemon.run("rm state/filler")

        let isDone = await daemon.log.wait { $0.ranges(of: "job completed").count == 3 }
        #expect(isDone != nil)
        #expect(await daemon.logs("resumed"))
        #expect(daemon.log.value.ranges(of: " error ").count == 1)
    }

    @Test func readOnlyDiskPausesAndGoesOn() async throws {
        let daemon = try await daemon("mount -t tmpfs tmpfs out")
        try daemon.run("mount -o remount,ro out && cp share/cats/*.png drop/cats/")
        #expect(await daemon.logs("Read-only file system"))

        try daemon.run("mount -o remount,rw out")

        #expect(try await waits { $0.stickers == 3 && $0.waiting == 0 && $0.needAttention == 0 })
    }

    @Test func jobsOfAShareThatIsAwayWaitForIt() async throws {
        let daemon = try await daemon("mount --bind share drop")
        #expect(try await waits { $0.stickers == 3 })

        try daemon.run("touch share/cats/*.png && umount -l drop")
        #expect(await daemon.logs("looks unmounted; its 3 stickers stay"))
        #expect(try status().stickers == 3)
        try daemon.run("mount --bind share drop")

        #expect(try await waits { $0.stickers == 3 && $0.waiting == 0 && $0.missing == 0 })
        #expect(try status().needAttention == 0)
        #expect(daemon.log.value.ranges(of: " warning ").count == 1)
    }

    @Test func nothingIsPublishedUnderAMountThatWentAway() async throws {
        try folder.makeFolder("disk")
        let daemon = try await daemon("mount --bind disk out && mount -t tmpfs tmpfs out")
        try daemon.run("cp share/cats/1.png drop/cats/")
        #expect(try await waits { $0.stickers == 1 })

        try daemon.run("umount -l out && cp share/cats/2.png drop/cats/")
        #expect(await daemon.logs("mount the former one"))

        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("disk")) == [])
    }
}
