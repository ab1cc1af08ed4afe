import StickerConfiguration
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWatch

extension WatchTests {
    /// Little scripts: what is done to the drop folder, and which files must then be known.
    @Suite struct TreeWatcherTests {
        #if InotifyTools
            static let backends: [WatchConfiguration.Backend] = [.inotify, .inotifytools, .polling]
        #else
            static let backends: [WatchConfiguration.Backend] = [.inotify, .polling]
        #endif

        /// A file that it missed is only gone if no other was found to be the same.
        @Test(arguments: backends)
        func endOfEveryScanIsTold(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend)
            try rig.folder.write("drop/a.png", "a picture")
            try rig.start()
            for _ in 1...2 {
                let count = rig.books.current.events.count
                rig.watcher.rescan()
                rig.expect("its end") { books in
                    let events = books.events.dropFirst(count)
                    let folder = FolderEvent.folderScanned(
                        drop: "\(rig.folder.path)/drop", directory: [])
                    return events.contains(folder) && events.last == .scansFinished
                }
            }
        }

        @Test(
            arguments: [
                """
                write drop/a.png
                = a.png
                mv drop/a.png drop/b.png
                = b.png
                write drop/b.png longer
                rm drop/b.png
                =
                """,
                """
                mkdir drop/cats
                write drop/cats/a.png
                = cats/a.png
                mkdir drop/cats/winter/snow
                write drop/cats/winter/snow/b.gif
                = cats/a.png cats/winter/snow/b.gif
                mv drop/cats/winter drop/winter
                = cats/a.png winter/snow/b.gif
                write drop/winter/snow/c.jpg
                = cats/a.png winter/snow/b.gif winter/snow/c.jpg
                rm drop/cats
                = winter/snow/b.gif winter/snow/c.jpg
                """,
                """
                mkdir tree/a/b
                write tree/1.png
                write tree/a/2.png
                write tree/a/b/3.png
                mv tree drop/tree
                = tree/1.png tree/a/2.png tree/a/b/3.png
                write drop/tree/a/b/4.png
                = tree/1.png tree/a/2.png tree/a/b/3.png tree/a/b/4.png
                mv drop/tree tree
                =
                write tree/a/5.png
                write drop/fence.png
                = fence.png
                mv tree drop/again
                = again/1.png again/a/2.png again/a/5.png again/a/b/3.png again/a/b/4.png fence.png
                """,
                """
                mkdir drop/cats
                write drop/cats/a.png
                = cats/a.png
                rm drop/cats
                mkdir drop/cats
                write drop/cats/b.png
                = cats/b.png
                """,
                """
                write drop/a.png.part
                write drop/.hidden.png
                write drop/notes.txt
                mkdir drop/.stage
                write drop/.stage/b.png
                write drop/fence.png
                = fence.png
                mv drop/a.png.part drop/a.png
                mv drop/.stage drop/stage
                = a.png fence.png stage/b.png
                mv drop/stage drop/.trash
                mv drop/a.png drop/a.png~
                = fence.png
                """,
                """
                write drop/a.png
                write drop/b.png
                = a.png b.png
                mv drop/a.png drop/c.png
                mv drop/b.png drop/a.png
                mv drop/c.png drop/b.png
                ln drop/a.png drop/d.png
                = a.png b.png d.png
                """,
                """
                write drop/x.png
                = x.png
                rm drop/x.png
                mkdir drop/x.png
                write drop/x.png/y.png
                = x.png/y.png
                rm drop/x.png
                write drop/x.png
                = x.png
                """,
            ], backends)
        func script(_ script: String, _ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend)
            try rig.start()

            try rig.play(script)

            rig.watcher.rescan()
            rig.expect("rescan") { _ in rig.watcher.status.scans > 1 }
            #expect(rig.watcher.status.overflows == 0)
        }

        @Test(arguments: backends)
        func whatLayThereAtTheStartIsSighted(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend)
            try rig.play(
                """
                write drop/a.png
                mkdir drop/cats/winter
                write drop/cats/b.png
                write drop/cats/winter/c.webp
                write drop/notes.txt
                """)

            try rig.start()

            #expect(rig.books.current.paths == ["a.png", "cats/b.png", "cats/winter/c.webp"])
            let sightings = rig.books.current.files.values
            #expect(sightings.allSatisfy { $0.origin == .scan && $0.isRegularFile })
            #expect(rig.watcher.status.folders == 3)
            #expect(rig.watcher.status.ignoredFiles == 1)
            #expect(rig.books.current.events.first?.isRootBack == true)
            #expect(rig.books.current.events.last == .startScanFinished)
        }

        /// Whether its events or the listing tell of it first: it was dropped just now.
        @Test(arguments: backends)
        func fileInAFolderMadeAfterTheStartIsNoneOfAScan(
            _ backend: WatchConfiguration.Backend
        ) throws {
            let rig = try WatcherRig(backend)
            try rig.start()

            try rig.play(
                """
                mkdir tree/below
                write tree/below/a.png
                mv tree drop/tree
                = tree/below/a.png
                """)

            let sightings = rig.books.current.sightings("tree/below/a.png")
            #expect(sightings.first?.origin == .changed)
        }

        @Test(arguments: [1, 2, 3])
        func startScanIsFinishedWhenNothingOfItGotLost(lostBatches: Int) throws {
            let folder = try TestFolder()
            try folder.makeFolder("drop")
            for number in 0..<1500 { try folder.write("drop/\(number).png", "") }
            let (books, sink) = (Watched(Books()), LosingSink(lostBatches))
            var configuration = WatchConfiguration()
            configuration.backend = .inotify
            let watcher = TreeWatcher(drops: ["\(folder.path)/drop"], configuration: configuration)
            {
                guard !sink.loses() else { return }
                for event in $0 { books.change { $0.enter(event, by: nil) } }
            }
            defer { watcher.stop() }
            sink.watcher.perform { $0 = watcher }

            try watcher.start()

            #expect(books.wait(nudge: {}, { $0.isReady }))
            #expect(books.current.files.count == 1500)
            // A failure shall not print 1,500 files.
            let isDropScanned = books.current.events.contains(
                .dropScanned(drop: "\(folder.path)/drop"))
            #expect(isDropScanned)
        }

        @Test func aClosedFileIsSaidToBeClosed() throws {
            let rig = try WatcherRig()
            try rig.start()

            try rig.folder.write("drop/a.png", "content")

            rig.expect("closed") { $0.sightings("a.png").last?.origin == .closed }
            let sighting = try #require(rig.books.current.sightings("a.png").last)
            #expect(sighting.version.size == 7)
            let look = Look.present(sighting.version, isRegularFile: true)
            #expect(rig.watcher.look(at: sighting.key) == look)
        }

        @Test func aFileThatIsStillWrittenIsNotSaidToBeClosed() throws {
            let rig = try WatcherRig()
            try rig.start()

            try rig.folder.writing(Array("drop/a.png".utf8), "begun") {
                rig.expect("sighted") { !$0.sightings("a.png").isEmpty }

                #expect(rig.books.current.sightings("a.png").allSatisfy { $0.origin == .changed })
            }

            rig.expect("closed") { $0.sightings("a.png").last?.origin == .closed }
        }

        @Test(arguments: backends)
        func whatIsNotAFileIsSightedAndNeverOpened(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend)
            try rig.start()

            try rig.play(
                """
                write secret.png
                mkdir vault
                write vault/deep.png
                mkfifo drop/pipe.png
                symlink \(rig.folder.path)/secret.png drop/link.png
                symlink \(rig.folder.path)/vault drop/vault
                write drop/z.png
                = link.png pipe.png z.png
                """)

            let irregular = rig.books.current.files.values.filter { !$0.isRegularFile }
            #expect(Set(irregular.map(\.key.display)) == ["link.png", "pipe.png"])
        }

        @Test(arguments: backends)
        func aFolderSwappedForALinkIsNotEntered(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend)
            try rig.play("mkdir drop/cats\nwrite drop/cats/a.png\nmkdir vault\nwrite vault/b.png")
            try rig.start()

            try rig.play("mv drop/cats cats\nsymlink \(rig.folder.path)/vault drop/cats\n=")

            let key = SourceKey(
                drop: rig.drop, directory: Array("cats".utf8), name: Array("b.png".utf8))
            #expect(rig.watcher.look(at: key) == .gone)
        }

        @Test func nothingIsSaidAfterTheEnd() throws {
            let rig = try WatcherRig()
            try rig.start()
            try rig.folder.write("drop/a.png")

            rig.watcher.stop()
            let events = rig.books.current.events
            try rig.folder.write("drop/b.png")
            rig.watcher.stop()

            #expect(rig.books.current.events == events)
        }

        @Test func theConfiguredBackendIsUsedOrRefused() throws {
            #if InotifyTools
                let library = try WatcherRig(.auto)
                try library.start()
                #expect(library.watcher.status.backend == "inotifytools")
                let second = try WatcherRig(.inotifytools)
                #expect(throws: WatchError.self) { try second.watcher.start() }
            #endif
            let kernel = try WatcherRig(.auto)
            try kernel.start()
            #if InotifyTools
                #expect(kernel.watcher.status.backend == "inotify")
            #endif
            let polling = try WatcherRig(.polling)
            try polling.start()
            #expect(polling.watcher.status.backend == "polling")
            #expect(polling.watcher.isPolled(polling.drop) && !kernel.watcher.isPolled(kernel.drop))
        }

        @Test(arguments: backends)
        func foldersThatLieTooDeepAreLeftOutAndCounted(
            _ backend: WatchConfiguration.Backend
        ) throws {
            let rig = try WatcherRig(backend)
            let name = String(repeating: "d", count: 250)
            var deep: DeepTree? = try DeepTree(
                below: rig.drop, name: name, levels: 30, file: "lost.png")
            try rig.play("mkdir drop/cats\nwrite drop/cats/a.png")

            try rig.start()

            #expect(rig.books.current.paths == ["cats/a.png"])
            #expect(rig.watcher.status.foldersTooDeep == 1)
            #expect(rig.watcher.status.folders == 2 + 4089 / 251)
            #expect(deep?.path == "\(rig.drop)/\(name)")
            deep = nil
            rig.watcher.rescan()
            rig.expect("shallow folders") { _ in rig.watcher.status.foldersTooDeep == 0 }
        }
    }
}

/// Loses the first batches, and asks for all of it again.
private final class LosingSink: Sendable {
    let watcher = QueueConfined<TreeWatcher?>(nil, label: "test.losing")
    private let left: QueueConfined<Int>

    init(_ batches: Int) { left = QueueConfined(batches, label: "test.left") }

    func loses() -> Bool {
        let isLost = left.perform { left in
            left -= 1
            return left >= 0
        }
        if isLost { watcher.perform { $0 }?.repeatScan() }
        return isLost
    }
}
