import StickerConfiguration
import StickerSystem
import StickerValues
import Testing

@testable import StickerWatch

extension WatchTests {
    /// Pictures under names that are not theirs.
    @Suite struct MisnamedTests {
        /// A GIF, as far as its first bytes tell.
        private static let picture = "GIF89a"

        private func proposals(_ books: Books) -> [String: String] {
            var names: [String: String] = [:]
            for sighting in books.files.values {
                guard case .misnamed(let picture) = sighting.stranger else { continue }
                names[sighting.key.display] = picture.name
            }
            return names
        }

        @Test(arguments: TreeWatcherTests.backends)
        func pictureUnderAnotherNameIsRecognised(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend)
            for name in ["a.gif_large", "a.gif.1", "a.gif.part", ".a", "b.gif.1"] {
                try rig.folder.write("drop/\(name)", Self.picture)
            }
            try rig.folder.write("drop/b.gif", Self.picture)
            try rig.folder.write("drop/notes", "a text")
            try rig.folder.symlink(to: "b.gif", "drop/link")
            try rig.folder.makeFIFO("drop/pipe")
            try rig.start()

            rig.expect("both") { books in
                rig.watcher.rescan()
                return proposals(books).count == 3
            }
            let names = proposals(rig.books.current)
            #expect(Set([names["a.gif_large"], names["a.gif.1"]]) == ["a.gif", "a-1.gif"])
            #expect(names["b.gif.1"] == "b-1.gif")
            rig.watcher.rescan()
            rig.expectFiles(["a.gif_large", "a.gif.1", "b.gif", "b.gif.1"])
            #expect(rig.watcher.status.ignoredFiles == 5)
        }

        /// Icons of the web are PNGs, as a rule.
        @Test(arguments: TreeWatcherTests.backends)
        func pictureUnderTheNameOfAForeignTypeIsRecognised(
            _ backend: WatchConfiguration.Backend
        ) throws {
            let rig = try WatcherRig(backend)
            try rig.folder.write("drop/a.ico", Self.picture)
            try rig.folder.write("drop/b.psd", "8BPS and more")
            try rig.folder.write("drop/c.nef", "II*\u{0} and more")
            try rig.start()
            rig.expectFiles(["a.ico", "b.psd", "c.nef"])
            #expect(proposals(rig.books.current) == ["a.ico": "a.gif"])

            try rig.folder.write("drop/d.ico", Self.picture)
            rig.expect("the last") { proposals($0)["d.ico"] == "d.gif" }
        }

        /// The watcher asks about each file before it reads any of its bytes.
        @Test func bytesThatAreNoPictureAreLookedAtOnce() throws {
            let looks = Watched(0)
            let rig = try WatcherRig(
                .polling,
                isAvoided: { _ in
                    looks.change { $0 += 1 }
                    return false
                })
            try rig.folder.write("drop/b.psd", "8BPS and more")
            try rig.start()
            for _ in 1...3 {
                let count = rig.books.current.events.count
                rig.watcher.rescan()
                rig.expect("its end") { $0.events.dropFirst(count).last == .scansFinished }
            }
            #expect(looks.current == 1)
        }

        @Test(arguments: TreeWatcherTests.backends)
        func nameIsFollowedByEvents(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend)
            try rig.start()
            try rig.folder.write("drop/art", Self.picture)
            try rig.folder.write("drop/other", Self.picture)
            rig.expect("both") { proposals($0) == ["art": "art.gif", "other": "other.gif"] }

            try rig.folder.write("drop/other", "no more a picture")
            rig.expectFiles(["art"])
            try rig.folder.move("drop/art", "drop/art.gif")
            rig.expectFiles(["art.gif"])
            #expect(rig.books.current.files.values.first?.stranger == nil)
        }

        /// A user who follows both proposals loses neither picture.
        @Test(arguments: TreeWatcherTests.backends)
        func noNameIsProposedTwice(_ backend: WatchConfiguration.Backend) throws {
            let rig = try WatcherRig(backend)
            try rig.start()
            try rig.folder.write("drop/a.gif_large", Self.picture)
            rig.expect("the first") { proposals($0) == ["a.gif_large": "a.gif"] }
            try rig.folder.write("drop/a.gif.1", Self.picture)
            try rig.folder.write("drop/a-1.gif.1", Self.picture)
            rig.expect("all") { proposals($0).count == 3 }
            #expect(Set(proposals(rig.books.current).values).count == 3)

            rig.watcher.rescan()
            rig.expectFiles(["a.gif_large", "a.gif.1", "a-1.gif.1"])
            let names = proposals(rig.books.current)
            #expect(Set(names.values).count == 3 && names["a.gif_large"] == "a.gif")
        }

        /// The daemon crashed while it did.
        @Test func someBytesAreNotLookedAt() throws {
            let folder = try TestFolder()
            try folder.makeFolder("drop")
            try folder.write("drop/art", "a text")
            let key = SourceKey(drop: "\(folder.path)/drop", directory: [], name: Array("art".utf8))
            let root = try Descriptor.root(key.drop)
            let version = try root.look(key.name).version
            let mark = key.mark(size: version.size)
            let rig = try WatcherRig(.polling, in: folder, isAvoided: { $0 == mark })
            try rig.start()
            rig.expect("it") { books in
                rig.watcher.rescan()
                return books.files.values.map(\.stranger) == [.crashing]
            }

            // Other bytes are another matter.
            try folder.write("drop/art", Self.picture + "!")
            rig.expect("a picture") { books in
                rig.watcher.rescan()
                return proposals(books) == ["art": "art.gif"]
            }
        }

        @Test func pictureThatWasReplacedUnseenIsMissed() throws {
            let rig = try WatcherRig(.polling)
            try rig.folder.write("drop/art", Self.picture)
            try rig.start()
            rig.expect("it") { books in
                rig.watcher.rescan()
                return !books.files.isEmpty
            }
            try rig.folder.write("drop/art", "no more a picture")
            rig.expect("nothing") { books in
                rig.watcher.rescan()
                return books.files.isEmpty
            }
        }
    }
}
