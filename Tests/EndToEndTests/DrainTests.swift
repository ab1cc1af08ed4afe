import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// `stickerd --drain`, and what keeps it from starting.
    struct DrainTests {
        /// A configuration of this machine would be in force.
        @Test(.disabled(if: FileManager.default.fileExists(atPath: "/etc/stickerd/config.json")))
        func startWithoutAConfigurationSaysSo() async throws {
            let folder = try TemporaryFolder()
            try folder.makeFolder("drop")

            let drain = try await Program("stickerd", ["--drain"], folder: folder.path).ending()

            #expect(drain.exitCode == 0)
            let line = "configuration=\"built-in defaults\" drops=\(folder.path("drop")) "
            #expect(drain.errors.contains(line), "\(drain.errors)")
        }

        @Test func everythingPresentIsPublishedAndASecondDrainDoesNothing() async throws {
            let workshop = try Workshop()
            for number in 1...3 { try workshop.put(try Art.png(number), "cats/\(number) tom.png") }
            try workshop.put(try Art.png(4), "dogs/small/rex.png")
            try workshop.put(try Art.png(5), "loose.png")
            try workshop.put(Array("hello".utf8), "cats/notes.txt")

            let first = try await workshop.drain()

            #expect(first.exitCode == 0)
            let library = try Library(below: workshop.out)
            #expect(library.categories.keys.sorted() == ["cats", "dogs", "stickers"])
            #expect(
                library.names == ["1 tom.png", "2 tom.png", "3 tom.png", "loose.png", "rex.png"])
            #expect(library.complaints() == [])
            #expect(Library.litter(below: workshop.out) == [])
            #expect(try await workshop.stickerctl("status").exitCode == 0)

            let faults = Faults(root: workshop.out, trace: workshop.folder.path("trace"))
            let second = try await workshop.drain(environment: faults.environment())

            #expect(second.exitCode == 0)
            #expect(try faults.calls().filter { $0.name != "fsync" } == [])
            #expect(try await workshop.jobs().count == 5)
        }

        @Test func nothingInADropIsEverChanged() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/tom.png")
            try workshop.put(try Art.png(1), "cats/twin.png")
            try workshop.put(Array("no picture".utf8), "cats/bad.png")
            try workshop.put(try Array(Art.png(2).dropLast(9)), "dogs/cut.png")
            try workshop.put([], "loose.png")
            let faults = Faults(root: workshop.drop, trace: workshop.folder.path("trace"))

            let drain = try await workshop.drain(environment: faults.environment())

            #expect(drain.exitCode == 3)
            #expect(try Library(below: workshop.out).names == ["tom.png", "twin.png"])
            #expect(try faults.calls() == [])
        }

        /// Their nanoseconds since 1970 do not fit into 64 bits.
        @Test(arguments: [-15_000_000_000, 13_569_465_600])
        func fileOfAnotherAgeIsReadOnce(seconds: Int) async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/tom.png")
            let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
            #expect(utimensat(AT_FDCWD, "\(workshop.drop)/cats/tom.png", times, 0) == 0)

            #expect(try await workshop.drain().exitCode == 0)
            #expect(try await workshop.drain().exitCode == 0)

            #expect(try await workshop.jobs().count == 1)
        }

        @Test func outThatIsAwayIsNotMadeAnewAtTheStart() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/tom.png")
            #expect(try await workshop.drain().exitCode == 0)
            let elsewhere = workshop.folder.path("elsewhere")
            try check(rename(workshop.out, elsewhere), "rename")

            let away = try await workshop.drain()
            let told = try await workshop.stickerctl("check").errors

            #expect(away.exitCode == 1)
            #expect(away.errors.contains("is away, and stickerd has published there"))
            #expect(told.contains("is away"))
            #expect(!FileManager.default.fileExists(atPath: workshop.out))
            try check(rename(elsewhere, workshop.out), "rename")
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try Library(below: workshop.out).generation("cats") == 1)
            try FileManager.default.removeItem(atPath: workshop.out)
            try FileManager.default.createDirectory(
                atPath: workshop.out, withIntermediateDirectories: false)
            #expect(try await workshop.drain().exitCode == 0)
            let anew = try Library(below: workshop.out)
            #expect(anew.names == ["tom.png"] && anew.complaints() == [])
        }

        /// Pictures are looked at after the start scan, but not where there are none.
        @Test func emptyOutAtAStartHasNoNameWithoutItsFile() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/tom.png")
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try await workshop.stickerctl("pause", "cats").exitCode == 0)
            try FileManager.default.removeItem(atPath: workshop.out)
            try FileManager.default.createDirectory(
                atPath: workshop.out, withIntermediateDirectories: false)

            let daemon = try await workshop.start()
            defer { daemon.send(SIGTERM) }

            let manifest = "\(workshop.out)/cats/manifest.json"
            #expect(
                await waitUntil(upTo: .seconds(120)) {
                    FileManager.default.fileExists(atPath: manifest)
                })
            #expect(try Library(below: workshop.out).names == [])
        }

        @Test func unfinishedFileIsJudgedAsItStands() async throws {
            let workshop = try Workshop(.init(watch: ["arrivingSecondsMax": 3600]))
            try workshop.put(Array(try Art.png(1).dropLast(20)), "cats/half.png")
            try workshop.put([], "cats/empty.png")

            let ending = try await workshop.drain()

            #expect(ending.exitCode == 3)
            let jobs = try await workshop.jobs()
            let reasons = jobs.compactMap { $0.refusal?.reason }.sorted()
            #expect(reasons == ["empty-file", "truncated"])
            let again = try await workshop.drain()
            #expect(again.exitCode == 3)
            #expect(
                again.errors.contains(
                    #"2 files are refused count=2 see="stickerctl jobs --attention""#))
        }

        /// More files than are booked at once, each with the name of the next; and a folder.
        @Test func whatMovedWhileNobodyLookedKeepsItsID() async throws {
            let workshop = try Workshop()
            for number in 0..<250 { try workshop.put(try Art.png(number), "cats/\(number).png") }
            try workshop.put(try Art.png(250), "dogs/small/rex.png")
            #expect(try await workshop.drain().exitCode == 0)
            let before = try Library(below: workshop.out)

            for number in (0..<250).reversed() {
                try workshop.move("cats/\(number).png", to: "cats/\(number + 1).png")
            }
            try workshop.move("dogs", to: "cats/dogs")
            #expect(try await workshop.drain().exitCode == 0)

            let after = try Library(below: workshop.out)
            for number in 0..<250 {
                let old = try #require(before.sticker("\(number).png"))
                let new = try #require(after.sticker("\(number + 1).png"))
                #expect(new.identifier == old.identifier && new.files == old.files)
            }
            #expect(after.categories["cats"]?.first?.stickers.count == 251)
            #expect(
                after.sticker("rex.png")?.identifier == before.sticker("rex.png")?.identifier)
            #expect(after.complaints() == [])
        }

        @Test func folderThatWasDeletedWhileNobodyLookedLeaves() async throws {
            let workshop = try Workshop(.init(publish: ["deleteGraceSeconds": 0.3]))
            try workshop.put(try Art.png(1), "cats/small/tom.png")
            try workshop.put(try Art.png(2), "cats/small/far/kit.png")
            try workshop.put(try Art.png(3), "cats/top.png")
            #expect(try await workshop.drain().exitCode == 0)

            try FileManager.default.removeItem(atPath: "\(workshop.drop)/cats/small")

            var names: [String] = []
            for _ in 0..<200 where names != ["top.png"] {
                #expect(try await workshop.drain().exitCode == 0)
                names = try Library(below: workshop.out).names
            }
            #expect(names == ["top.png"])
        }

        @Test func deletedFileLeavesWithTheDrainThatFindsTheGraceOver() async throws {
            let workshop = try Workshop(.init(publish: ["deleteGraceSeconds": 0.3]))
            try workshop.put(try Art.png(1), "cats/tom.png")
            try workshop.put(try Art.png(2), "cats/kit.png")
            #expect(try await workshop.drain().exitCode == 0)

            try workshop.remove("cats/tom.png")

            // The first of them starts the grace, which goes on from drain to drain.
            var names: [String] = []
            for _ in 0..<200 where names != ["kit.png"] {
                #expect(try await workshop.drain().exitCode == 0)
                names = try Library(below: workshop.out).names
            }
            #expect(names == ["kit.png"])
        }

        @Test func drainBesideADaemonSaysSo() async throws {
            let workshop = try Workshop()
            let daemon = try await workshop.start()
            defer { daemon.send(SIGTERM) }

            let drain = try await workshop.drain()

            #expect(drain.exitCode == 1)
            #expect(drain.errors.contains("another stickerd (process \(daemon.number))"))
            try workshop.put(try Art.png(1), "cats/tom.png")
            try await workshop.published("by the daemon") { $0.names == ["tom.png"] }
        }

        @Test func manifestThatCannotBeWrittenFailsTheDrain() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/tom.png")
            // A folder in the manifest's place: rename(2) cannot replace it.
            try workshop.folder.write([0], to: "out/cats/manifest.json/obstacle")

            let failed = try await workshop.drain()

            #expect(failed.exitCode == 1)
            try FileManager.default.removeItem(atPath: "\(workshop.out)/cats/manifest.json")
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try Library(below: workshop.out).names == ["tom.png"])
        }

        @Test func folderThatCannotBeReadFailsTheDrainAndKeepsItsStickers() async throws {
            let workshop = try Workshop(.init(publish: ["deleteGraceSeconds": 0]))
            try workshop.put(try Art.png(1), "cats/tom.png")
            try workshop.put(try Art.png(2), "dogs/rex.png")
            #expect(try await workshop.drain().exitCode == 0)
            try workshop.put(try Art.png(3), "dogs/new.png")
            try workshop.put(try Art.png(4), "cats/kit.png")
            let faults = Faults(
                root: "\(workshop.drop)/dogs", trace: workshop.folder.path("trace"), isReading: true
            )

            let fault = Faults.Fault.fail(at: 1, EACCES, count: 1000)
            let blind = try await workshop.drain(environment: faults.environment(fault))

            #expect(blind.exitCode == 1)
            #expect(blind.errors.contains("folder not readable"))
            #expect(
                try Library(below: workshop.out).names == ["kit.png", "rex.png", "tom.png"])
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try Library(below: workshop.out).names.count == 4)
        }

        @Test(arguments: [
            ["out": "drop/out"], ["state": "drop/cats/state"], ["drops": "out/drop"],
            ["out": "alias/out"], ["state": "alias"],
        ])
        func foldersInsideOneAnotherAreRefused(places: [String: String]) async throws {
            var settings = Workshop.Settings()
            settings.out = places["out"] ?? settings.out
            settings.state = places["state"] ?? settings.state
            settings.drops = places["drops"].map { [$0] } ?? settings.drops
            let workshop = try Workshop(settings)
            try check(symlink(workshop.drop, workshop.folder.path("alias")), "symlink")
            try workshop.put(try Art.png(1), "cats/tom.png")

            let drain = try await workshop.drain()
            let checked = try await workshop.stickerctl("check")

            #expect(drain.exitCode == 1)
            #expect(drain.errors.contains("lies inside"))
            #expect(drain.errors.contains("give them separate folders"))
            #expect(checked.exitCode == 1)
            #expect(checked.errors.contains("lies inside"))
        }
    }
}
