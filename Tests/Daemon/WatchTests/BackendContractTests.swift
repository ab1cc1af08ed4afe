import Glibc
import Testing

@testable import StickerWatch

extension WatchTests {
    /// Duties of every backend, whatever it asks.
    @Suite struct BackendContractTests {
        static let appeared: Set<WatchEvent.Change> = [.closed, .movedIn, .created]
        static let changed: Set<WatchEvent.Change> = [.closed, .altered]

        @Test(arguments: BackendKind.allCases)
        func aNewFileIsTold(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            let root = try rig.watch()

            try rig.folder.write("a.png")

            rig.expect(root, "a.png", kind.seesClosing ? [.closed] : [.created])
        }

        @Test(arguments: BackendKind.allCases)
        func rewritingIsTold(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            try rig.folder.write("a.png", "one")
            let root = try rig.watch()

            try rig.folder.write("a.png", "another")

            rig.expect(root, "a.png", Self.changed)
        }

        @Test(arguments: BackendKind.allCases)
        func rightsAreTold(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            try rig.folder.write("a.png")
            let root = try rig.watch()

            try rig.folder.changeMode("a.png", 0o600)

            rig.expect(root, "a.png", [.altered])
        }

        @Test(arguments: BackendKind.allCases)
        func deletingIsTold(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            try rig.folder.write("a.png")
            let root = try rig.watch()

            try rig.folder.remove("a.png")

            rig.expect(root, "a.png", [.gone])
        }

        @Test(arguments: BackendKind.allCases)
        func renamingTellsBothNames(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            try rig.folder.write("a.png")
            let root = try rig.watch()

            try rig.folder.move("a.png", "b.png")

            rig.expect(root, "a.png", [.gone])
            rig.expect(root, "b.png", kind.seesClosing ? [.movedIn] : [.created])
        }

        @Test(arguments: BackendKind.allCases, [".a.png.x1y2", "a.png.part", "../a.png"])
        func renamingWhatIsNoPictureIsAnArrival(_ kind: BackendKind, _ name: String) throws {
            let rig = try BackendRig(kind)
            try rig.folder.write(name)
            let root = try rig.watch()

            try rig.folder.move(name, "a.png")

            rig.expect(root, "a.png", kind.seesClosing ? [.arrived] : [.created])
        }

        @Test(arguments: BackendKind.allCases)
        func linksAreTold(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            try rig.folder.write("a.png")
            let root = try rig.watch()

            try rig.folder.link("a.png", "hard.png")
            try rig.folder.symlink(to: "a.png", "soft.png")

            rig.expect(root, "hard.png", [.created])
            rig.expect(root, "soft.png", [.created])
        }

        @Test(arguments: BackendKind.allCases)
        func foldersAreToldAsFolders(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            try rig.folder.makeFolder("old")
            let root = try rig.watch()

            try rig.folder.makeFolder("new")
            try rig.folder.remove("old")

            rig.expect(root, "new", [.created], isDirectory: true)
            rig.expect(root, "old", [.gone], isDirectory: true)
        }

        @Test(arguments: BackendKind.allCases)
        func foldersBelowAreNotWatched(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            try rig.folder.makeFolder("below")
            let root = try rig.watch()

            try rig.folder.write("below/a.png")
            try rig.folder.write("fence.png")

            rig.expect(root, "fence.png", Self.appeared)
            #expect(!rig.events.current.contains { $0.isAbout("a.png") })
        }

        @Test(arguments: BackendKind.allCases)
        func aDeletedFolderIsTold(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            try rig.folder.makeFolder("cats")
            let cats = try rig.watch("cats")

            try rig.folder.remove("cats")

            rig.expect("folder gone") { $0.contains(.folderGone(cats)) }
        }

        @Test(arguments: BackendKind.allCases)
        func aMovedFolderIsTold(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            try rig.folder.makeFolder("cats")
            let cats = try rig.watch("cats")

            try rig.folder.move("cats", "dogs")

            rig.expect("folder gone") { $0.contains(.folderGone(cats)) }
        }

        @Test(arguments: BackendKind.allCases)
        func aFolderMadeAnewCanBeWatchedAgain(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            try rig.folder.makeFolder("cats")
            let old = try rig.watch("cats")
            try rig.folder.remove("cats")
            rig.expect("folder gone") { $0.contains(.folderGone(old)) }
            try rig.folder.makeFolder("cats")

            let new = try rig.watch("cats")
            try rig.folder.write("cats/a.png")

            rig.expect(new, "a.png", Self.appeared)
        }

        @Test(arguments: BackendKind.allCases)
        func aFolderWatchedTwiceTellsBoth(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            let first = try rig.watch()
            let second = try rig.watch()

            try rig.folder.write("a.png")

            rig.expect(first, "a.png", Self.appeared)
            rig.expect(second, "a.png", Self.appeared)

            rig.forget(first)
            try rig.folder.write("b.png")

            rig.expect(second, "b.png", Self.appeared)
        }

        @Test(arguments: BackendKind.allCases)
        func aForgottenFolderIsSilent(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            try rig.folder.makeFolder("cats")
            let root = try rig.watch()
            rig.forget(try rig.watch("cats"))

            try rig.folder.write("cats/a.png")
            try rig.folder.write("fence.png")

            rig.expect(root, "fence.png", Self.appeared)
            #expect(!rig.events.current.contains { $0.isAbout("a.png") })
        }

        @Test(arguments: BackendKind.allCases)
        func namesAreBytes(_ kind: BackendKind) throws {
            let rig = try BackendRig(kind)
            let root = try rig.watch()
            let names: [[UInt8]] = [
                Array("new\nline.png".utf8), [0xFF, 0xFE] + Array(".png".utf8),
                Array(repeating: UInt8(ascii: "x"), count: 255),
            ]

            for name in names { try rig.folder.write(name) }

            for name in names {
                rig.expect("name of \(name.count) bytes") { events in
                    events.contains { event in
                        if case .entry(root, name, _, false) = event { true } else { false }
                    }
                }
            }
        }

        @Test(arguments: BackendKind.allCases)
        func nothingFollowsTheEnd(_ kind: BackendKind) throws {
            let (folder, events) = try {
                let rig = try BackendRig(kind)
                _ = try rig.watch()
                return (rig.folder, rig.events)
            }()
            let before = events.current

            try folder.write("a.png")

            #expect(events.current == before)
        }

        #if InotifyTools
            @Test func theLibraryServesOneWatcher() throws {
                let rig = try BackendRig(.inotifytools)

                #expect(throws: WatchError.self) { try BackendRig(.inotifytools) }

                let root = try rig.watch()
                try rig.folder.write("a.png")
                rig.expect(root, "a.png", [.closed])
            }

            @Test func theLibraryIsStartedAnewWhenItsTablesGrow() throws {
                let rig = try BackendRig(.inotifytools, vanishedMax: 20)
                let root = try rig.watch()

                for round in 1...20 {
                    try rig.folder.makeFolder("folder\(round)")
                    _ = try rig.watch("folder\(round)")
                    try rig.folder.remove("folder\(round)")
                }

                rig.expect("restart") { $0.contains(.restarted) }
                rig.clear()
                try rig.folder.write("a.png")
                rig.expect(root, "a.png", [.closed])
            }
        #endif
    }
}

extension WatchEvent {
    func isAbout(_ name: String) -> Bool {
        if case .entry(_, Array(name.utf8), _, _) = self { true } else { false }
    }
}
