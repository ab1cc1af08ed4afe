import StickerConfiguration
import StickerValues
import Testing

@testable import StickerWatch

extension WatchTests {
    /// A lost, replaced or unmounted drop folder never means that its files were deleted.
    @Suite struct RootTests {
        static let backends: [WatchConfiguration.Backend] = [.inotify, .polling]

        @Test(arguments: backends)
        func aMissingDropIsLostUntilItIsThere(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend, makesDrop: false)
            try rig.start()
            #expect(rig.books.current.events == [.rootLost(drop: rig.drop), .startScanFinished])
            #expect(rig.watcher.status.lostDrops == [rig.drop])

            try rig.play("mkdir drop/cats\nwrite drop/cats/a.png\n= cats/a.png")

            #expect(rig.watcher.status.lostDrops == [])
            try rig.play("write drop/cats/b.png\n= cats/a.png cats/b.png")
        }

        @Test(arguments: backends)
        func onlyTheNewFolderUnderThePathIsServed(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend)
            try rig.play("mkdir drop/cats\nwrite drop/cats/a.png")
            try rig.start()

            try rig.play("mv drop old\nmkdir drop/cats\nwrite drop/cats/b.png")
            rig.expect("new file") { !$0.sightings("cats/b.png").isEmpty }
            try rig.play("write old/cats/c.png\nwrite drop/fence.png")
            rig.expect("fence") { !$0.sightings("fence.png").isEmpty }

            let events = rig.books.current.events
            #expect(rig.books.current.sightings("cats/c.png").isEmpty)
            #expect(events.contains(.rootLost(drop: rig.drop)))
            #expect(events.filter(\.isRootBack).count == 2)
            #expect(!events.contains { $0.saysGone })
        }

        @Test(arguments: backends)
        func aDropMovedAwayAndBackLosesNothing(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend)
            try rig.play("mkdir drop/cats\nwrite drop/cats/a.png")
            try rig.start()

            try rig.play("mv drop old")
            rig.expect("loss") { $0.events.contains(.rootLost(drop: rig.drop)) }
            let key = try #require(rig.books.current.files.keys.first)
            #expect(rig.watcher.look(at: key) == .unknown)
            try rig.play("write old/cats/b.png\nmv old drop\n= cats/a.png cats/b.png")

            #expect(!rig.books.current.events.contains { $0.saysGone })
            #expect(Set(rig.books.current.events.filter(\.isRootBack)).count == 1)
        }

        @Test(arguments: backends)
        func aFolderThatLeftWhileTheDropWasAwayIsGone(
            _ backend: WatchConfiguration.Backend
        ) throws {
            let rig = try WatcherRig(backend)
            try rig.play("mkdir drop/cats/deep\nwrite drop/cats/deep/a.png\nwrite drop/b.png")
            try rig.start()
            try rig.play("mv drop old")
            rig.expect("loss") { $0.events.contains(.rootLost(drop: rig.drop)) }

            try rig.play("rm old/cats\nmv old drop\n= b.png")

            let scanned = rig.books.current.events.filter { $0 == .dropScanned(drop: rig.drop) }
            #expect(scanned.count == 2)
        }

        @Test(arguments: backends)
        func aDropRemovedAndMadeAnewIsServed(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend)
            try rig.play("mkdir drop/cats\nwrite drop/cats/a.png")
            try rig.start()

            try rig.play("rm drop")
            rig.expect("loss") { $0.events.contains(.rootLost(drop: rig.drop)) }
            try rig.play("mkdir drop/cats\nwrite drop/cats/b.png")

            rig.expect("new file") { !$0.sightings("cats/b.png").isEmpty }
        }

        @Test func aLinkToTheDropIsFollowed() throws {
            let rig = try WatcherRig(makesDrop: false)
            try rig.play("mkdir real\nsymlink real drop")
            try rig.start()

            try rig.play("write drop/a.png\n= a.png")
        }

        @Test(.enabled(if: Mount.isPossible, "needs the right to mount"), arguments: backends)
        func aMountOverTheDropHidesIt(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend)
            try rig.play("write drop/a.png")
            try rig.start()

            let mount = try Mount(rig.drop)
            rig.expect("loss") { $0.events.contains(.rootLost(drop: rig.drop)) }
            try rig.play("write drop/b.png")
            rig.expect("mounted file") { !$0.sightings("b.png").isEmpty }
            mount.detach()
            try rig.play("write drop/c.png")
            rig.expect("file of the first folder") { !$0.sightings("c.png").isEmpty }

            #expect(!rig.books.current.events.contains { $0.saysGone })
        }

        @Test(.enabled(if: Mount.isPossible, "needs the right to mount"), arguments: backends)
        func aMountBelowTheDropHidesAndDeletesNothing(
            _ backend: WatchConfiguration.Backend
        ) throws {
            let rig = try WatcherRig(backend)
            try rig.play("mkdir drop/cats/deep\nwrite drop/cats/a.png\nwrite drop/cats/deep/b.png")
            try rig.start()

            let mount = try Mount("\(rig.drop)/cats")
            try rig.play("write drop/cats/c.png\n= cats/a.png cats/c.png cats/deep/b.png")
            mount.detach()
            try rig.play(
                """
                write drop/cats/d.png
                = cats/a.png cats/d.png cats/deep/b.png
                rm drop/cats/a.png
                = cats/d.png cats/deep/b.png
                """)
        }
    }
}

extension FolderEvent {
    /// Whether it says of any file that it does not exist.
    var saysGone: Bool {
        switch self {
        case .gone, .folderGone: true
        default: false
        }
    }
}
