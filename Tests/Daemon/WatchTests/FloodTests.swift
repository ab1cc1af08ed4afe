import Dispatch
import Glibc
import StickerConfiguration
import StickerSystem
import StickerValues
import Testing

@testable import StickerWatch

extension WatchTests {
    /// More than the kernel's queue, the watches or the consumer can take: nothing is lost.
    @Suite struct FloodTests {
        @Test(arguments: TreeWatcherTests.backends)
        func filesInFreshFoldersAreAllSighted(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend, isLarge: true)
            try rig.start()

            for number in 1...2000 {
                try rig.folder.makeFolders("drop/\(number % 7)/a\(number)/b")
                try rig.folder.write("drop/\(number % 7)/a\(number)/b/x.png")
                try rig.folder.write("drop/\(number % 7)/a\(number)/y.png")
            }

            rig.expect("4,000 files") { $0.files.count == 4000 }
        }

        @Test func aLargeFolderComesInSmallBatches() throws {
            let rig = try WatcherRig(isLarge: true)
            for number in 1...20_000 { try rig.folder.write("drop/\(number).png") }

            try rig.start()

            let books = rig.books.current
            #expect(books.files.count == 20_000)
            #expect(books.events.allSatisfy { $0.sightings.count <= 1000 })
            let ends: [FolderEvent] = [
                .folderScanned(drop: rig.drop, directory: []), .dropScanned(drop: rig.drop),
                .startScanFinished,
            ]
            #expect(Array(books.events.suffix(3)) == ends)
        }

        @Test(arguments: TreeWatcherTests.backends)
        func aSlowConsumerLosesNothing(_ backend: WatchConfiguration.Backend) throws {
            let gate = Gate()
            let rig = try WatcherRig(
                backend, namesMax: 500, isLarge: true, beforeEach: gate.pass)
            try rig.start()
            try rig.folder.makeFolder("drop/cats")
            for number in 1...50 { try rig.folder.write("drop/old\(number).png") }
            rig.expect("first files") { $0.files.count == 50 }

            gate.close()
            for number in 1...3000 {
                try rig.folder.write("drop/cats/\(number).png")
                if number % 10 == 0 { try rig.folder.makeFolder("drop/dogs\(number)") }
                if number % 10 == 1, number > 1 {
                    try rig.folder.write("drop/dogs\(number - 1)/x.png")
                }
            }
            for number in 1...50 { try rig.folder.remove("drop/old\(number).png") }
            gate.open()

            rig.expect("all files and no others") { books in
                books.files.count == 3299 && books.sightings("cats/3000.png").count > 0
            }
        }

        @Test func anOverflowLeadsToAFullScan() throws {
            let rig = try WatcherRig()
            let backend = Watched<DeafBackend?>(nil)
            try rig.start { queue, sink throws(WatchError) in
                let deaf = try DeafBackend(queue: queue, sink: sink)
                backend.change { $0 = deaf }
                return deaf
            }
            let deaf = try #require(backend.current)

            deaf.isDeaf.perform { $0 = true }
            try rig.play("mkdir drop/cats\nwrite drop/cats/a.png\nwrite drop/b.png")
            deaf.isDeaf.perform { $0 = false }
            deaf.overflow()

            rig.expectFiles(["b.png", "cats/a.png"])
            #expect(rig.watcher.status.overflows == 1)
            try rig.play("write drop/cats/c.png\n= b.png cats/a.png cats/c.png")
        }

        @Test(.enabled(if: QueueLimit.isWritable, "needs to set fs.inotify.max_queued_events"))
        func anOverflowOfTheKernelsQueueLosesNothing() throws {
            let rig = try WatcherRig()
            let reader = Watched<DispatchQueue?>(nil)
            try rig.start { queue, sink throws(WatchError) in
                reader.change { $0 = queue }
                return try QueueLimit.lowered(to: 16) { () throws(WatchError) in
                    try InotifyBackend(queue: queue, sink: sink)
                }
            }
            let queue = try #require(reader.current)

            queue.suspend()
            for number in 1...500 { try rig.folder.write("drop/\(number).png") }
            queue.resume()

            rig.expect("500 files") { $0.files.count == 500 }
            #expect(rig.watcher.status.overflows >= 1)
        }

        @Test func withoutWatchesTheRestIsPolled() throws {
            let rig = try WatcherRig()
            let backend = Watched<ScarceBackend?>(nil)
            for number in 1...10 { try rig.folder.makeFolders("drop/d\(number)/deep") }
            try rig.start { queue, sink throws(WatchError) in
                let scarce = try ScarceBackend(queue: queue, watchesMax: 3, sink: sink)
                backend.change { $0 = scarce }
                return scarce
            }

            #expect(rig.watcher.status.foldersDegraded == 18)
            for number in 1...10 { try rig.folder.write("drop/d\(number)/deep/x.png") }
            try rig.play("mkdir drop/late/deep\nwrite drop/late/deep/x.png")
            rig.expect("all files") { $0.files.count == 11 }

            let scarce = try #require(backend.current)
            scarce.queue.sync { scarce.watchesMax = 100 }
            rig.watcher.rescan()
            rig.expect("recovery") { _ in rig.watcher.status.foldersDegraded == 0 }
            try rig.play("write drop/d1/deep/y.png")
            rig.expect("all files") { $0.files.count == 12 }
        }

        @Test func aFolderThatCannotBeReadIsTriedAgain() throws {
            let rig = try WatcherRig()
            let backend = Watched<ScarceBackend?>(nil)
            try rig.play("mkdir drop/cats\nwrite drop/cats/a.png\nwrite drop/b.png")
            try rig.start { queue, sink throws(WatchError) in
                let scarce = try ScarceBackend(
                    queue: queue, watchesMax: 1, fault: .denied, sink: sink)
                backend.change { $0 = scarce }
                return scarce
            }

            #expect(rig.books.current.paths == ["b.png"])
            #expect(rig.watcher.status.foldersUnreadable == 1)
            let scarce = try #require(backend.current)
            scarce.queue.sync { scarce.watchesMax = 2 }

            rig.expectFiles(["b.png", "cats/a.png"])
            #expect(rig.watcher.status.foldersUnreadable == 0)
        }
    }
}
