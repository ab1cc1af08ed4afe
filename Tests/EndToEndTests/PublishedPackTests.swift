import Foundation
import Glibc
import StickerCodecs
import StickerPackFiles
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Packs that are kept beside the manifests: whole, up to date, and the same for the same stickers.
    struct PublishedPackTests {
        private let workshop: Workshop

        init() throws {
            var settings = Workshop.Settings()
            settings.sticker = ["packs": ["whatsapp"], "emojis": ["🐱"]]
            settings.publish["deleteGraceSeconds"] = 0
            workshop = try Workshop(settings)
        }

        private func put(_ numbers: ClosedRange<Int>, in category: String) throws {
            try workshop.put(Array(#"{"publisher": "Ada"}"#.utf8), "\(category)/category.json")
            for number in numbers {
                try workshop.put(try Art.png(number), "\(category)/\(number) art.png")
            }
        }

        private func drained(_ exitCode: Int32 = 0) async throws {
            let ending = try await workshop.drain()
            #expect(ending.exitCode == exitCode, "\(ending.errors)")
        }

        private func current(
            _ category: String, _ platform: String = "whatsapp"
        ) throws -> PublishedPacks {
            let path = "\(workshop.out)/_packs/\(platform)/\(category)/current.json"
            return try JSONDecoder().decode(
                PublishedPacks.self, from: Data(contentsOf: URL(filePath: path)))
        }

        private func readiness(_ category: String) throws -> Readiness? {
            try Library.pages("\(workshop.out)/\(category)/manifest.json").first?
                .readiness?[.whatsapp]
        }

        /// The bytes of a file of the packs that are handed over.
        private func bytes(_ path: String, _ category: String) throws -> Data? {
            let folder = try #require(try current(category).folder)
            let shelf = "\(workshop.out)/_packs/whatsapp/\(category)"
            return FileManager.default.contents(atPath: "\(shelf)/\(folder)/\(path)")
        }

        @Test func packsFollowWhatIsPublished() async throws {
            try put(1...4, in: "cats")
            try put(11...13, in: "dogs")
            try await drained()
            let (cats, dogs) = (try current("cats"), try current("dogs"))
            #expect(cats.packs.map(\.version) == [1] && cats.forms.count == 3)
            #expect(cats.packs.map(\.stickers.count) == [4])
            #expect(try bytes("android/contents.json", "cats") != nil)
            #expect(try bytes("handover/cats.json", "cats") == nil)
            #expect(try readiness("cats")?.ready == true)
            #expect(try readiness("cats")?.packs.map(\.stickers) == [4])

            try put(5...5, in: "cats")
            try await drained()
            #expect(try current("cats").packs.map(\.version) == [2])
            #expect(try current("cats").folder != cats.folder)
            #expect(try current("dogs") == dogs)
            // A client that began to read the old packs can go on.
            let old = "\(workshop.out)/_packs/whatsapp/cats/\(try #require(cats.folder))"
            #expect(FileManager.default.fileExists(atPath: "\(old)/wastickers/cats.wastickers"))
        }

        /// The path of a file of the packs that are handed over.
        private func place(_ path: String, _ category: String) throws -> String {
            "\(workshop.out)/_packs/whatsapp/\(category)/"
                + "\(try #require(try current(category).folder))/\(path)"
        }

        @Test func damagedFileOfAPackIsMadeAgain() async throws {
            try put(1...4, in: "cats")
            try await drained()
            let before = try current("cats")
            let archive = try #require(try bytes("wastickers/cats.wastickers", "cats"))
            #expect(truncate(try place("wastickers/cats.wastickers", "cats"), 100) == 0)
            try FileManager.default.removeItem(atPath: place("ios/cats-tray.png", "cats"))

            try await drained()

            #expect(try current("cats") == before)
            #expect(try bytes("wastickers/cats.wastickers", "cats") == archive)
            #expect(try bytes("ios/cats-tray.png", "cats") != nil)
            #expect(try readiness("cats")?.ready == true)
        }

        /// A picture in a pack and the published one are the same file.
        @Test func damagedPictureIsMadeAgainWithItsPack() async throws {
            try put(1...4, in: "cats")
            try await drained()
            let before = try current("cats")
            let picture = try #require(
                before.files?.first { $0.path.hasPrefix("android/") && $0.path.hasSuffix(".webp") })
            let whole = try bytes(picture.path, "cats")
            #expect(truncate(try place(picture.path, "cats"), 100) == 0)

            _ = try await workshop.drain()
            #expect(try readiness("cats")?.ready != true)
            let findings = try readiness("cats")?.findings ?? []
            #expect(findings.contains { $0.rule == "damaged" && $0.measured == "100 B" })

            try await drained()
            #expect(try bytes(picture.path, "cats") == whole)
            #expect(try current("cats").packs == before.packs)
            #expect(try readiness("cats")?.ready == true)
        }

        @Test func onlyThePackThatHoldsAStickerChanges() async throws {
            try put(1...34, in: "cats")
            try await drained()
            let before = try current("cats")
            #expect(before.packs.map(\.stickers.count) == [17, 17])
            let archive = try #require(try bytes("wastickers/cats.wastickers", "cats"))
            let other = try #require(try bytes("wastickers/cats-2.wastickers", "cats"))

            try workshop.put(try Art.png(99), "cats/30 art.png")
            try await drained()

            #expect(try current("cats").packs.map(\.version) == [1, 2])
            #expect(try current("cats").packs.map(\.stickers) == before.packs.map(\.stickers))
            #expect(try bytes("wastickers/cats.wastickers", "cats") == archive)
            #expect(try bytes("wastickers/cats-2.wastickers", "cats") != other)
        }

        @Test func removedStickerLeavesItsPackAndNoOther() async throws {
            try put(1...34, in: "cats")
            try await drained()
            let before = try current("cats")
            let other = try #require(try bytes("wastickers/cats-2.wastickers", "cats"))

            // The first one stands for the category.
            try workshop.remove("cats/1 art.png")
            try await drained()

            let after = try current("cats")
            #expect(after.packs.map(\.version) == [2, 1])
            #expect(after.packs[0].stickers == Array(before.packs[0].stickers.dropFirst()))
            #expect(after.packs.allSatisfy { $0.kept == nil })
            #expect(try bytes("wastickers/cats-2.wastickers", "cats") == other)
        }

        @Test func changeToTheFirstStickerIsNoneToThePicturesOfOtherPacks() async throws {
            var settings = Workshop.Settings()
            settings.sticker = ["packs": ["line"]]
            try workshop.configure(settings)
            try put(1...48, in: "cats")
            try await drained()
            let before = try current("cats", "line")
            #expect(before.packs.map(\.stickers.count) == [24, 24])

            try workshop.put(try Art.png(99), "cats/1 art.png")
            try await drained()

            let after = try current("cats", "line")
            #expect(after.folder != before.folder)
            #expect(after.packs.map(\.version) == [2, 1])
        }

        @Test func stickersThatArriveTogetherAreDividedTogether() async throws {
            let daemon = try await workshop.start()
            try put(1...34, in: "cats")
            let isThere = await waitUntil(upTo: .seconds(120)) {
                (try? readiness("cats")) != nil
            }
            #expect(isThere)
            #expect(try current("cats").packs.map(\.stickers.count) == [17, 17])
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
        }

        @Test func lostDatabaseKeepsMembersAndVersions() async throws {
            try put(1...34, in: "cats")
            try await drained()
            try put(35...36, in: "cats")
            try await drained()
            let before = try current("cats")
            #expect(before.packs.map(\.stickers.count) == [19, 17])

            try FileManager.default.removeItem(atPath: workshop.state)
            try await drained()

            #expect(try current("cats") == before)
            try put(37...37, in: "cats")
            try await drained()
            #expect(try current("cats").packs.map(\.version) == [3, 1])
        }

        @Test func lostDatabaseKeepsMembersAndVersionsOfWhatWasOnlyExported() async throws {
            var settings = Workshop.Settings()
            settings.sticker = ["emojis": ["🐱"]]
            settings.publish["deleteGraceSeconds"] = 0
            try workshop.configure(settings)
            try put(1...34, in: "cats")
            try put(41...42, in: "dogs")
            try await drained()
            func export(_ category: String, _ platform: String) async throws -> String {
                let ending = try await workshop.stickerctl(
                    "export", category, "--for", platform, "--to",
                    workshop.folder.path("to \(category) \(platform)"))
                #expect(ending.exitCode == 0, "\(ending)")
                return ending.output
            }
            _ = try await export("cats", "whatsapp")
            for category in ["dogs", "cats"] { _ = try await export(category, "tuikit") }
            try workshop.remove("cats/3 art.png")
            try await drained()
            _ = try await export("cats", "whatsapp")
            let before = try current("cats")
            #expect(before.folder == nil && before.packs.map(\.version) == [2, 1])
            #expect(try groups() == ["dogs": 1, "cats": 2])

            try FileManager.default.removeItem(atPath: workshop.state)
            try workshop.remove("cats/4 art.png")
            try await drained()
            for category in ["cats", "dogs"] { _ = try await export(category, "tuikit") }
            _ = try await export("cats", "whatsapp")

            #expect(try groups() == ["dogs": 1, "cats": 2])
            #expect(try current("cats").packs.map(\.version) == [3, 1])
            #expect(try current("cats").packs.map(\.stickers.count) == [15, 17])
        }

        @Test func packBelowTheMinimumStaysAsItWas() async throws {
            try put(1...3, in: "cats")
            try await drained()
            let before = try current("cats")
            try workshop.remove("cats/2 art.png")
            try await drained()

            let after = try current("cats")
            #expect(after.folder == before.folder && after.packs.map(\.version) == [1])
            #expect(try readiness("cats")?.ready == false)
            let faults = try readiness("cats")?.findings.filter { $0.severity == .fault }
            #expect(faults?.map(\.rule) == ["V09"])

            // Also for a library that has lost its database, and once the picture is gone for good.
            try FileManager.default.removeItem(atPath: workshop.state)
            try await drained()
            #expect(try current("cats").folder == before.folder)
            try put(7...7, in: "cats")
            try await drained()
            #expect(try current("cats").packs.map(\.version) == [2])
            #expect(try readiness("cats")?.ready == true)
        }

        @Test func bundleOfTheLibraryKeepsThePlacesOfItsGroups() async throws {
            var settings = Workshop.Settings()
            settings.sticker = ["packs": ["tuikit"]]
            settings.publish["deleteGraceSeconds"] = 0
            try workshop.configure(settings)
            try put(1...2, in: "dogs")
            try await drained()
            try put(3...4, in: "cats")
            try await drained()
            #expect(try groups() == ["dogs": 1, "cats": 2])
            let menu = try #require(try bundle("g2/menu@2x.png"))
            #expect(
                try PNGDecoder(SourceBytes([UInt8](menu)), limits: DecodeLimits()).header.size.width
                    == 240)

            // An emptied group keeps its last art; nobody moves, also if the database is lost.
            for number in 1...2 { try workshop.remove("dogs/\(number) art.png") }
            try await drained()
            try FileManager.default.removeItem(atPath: workshop.state)
            try put(5...5, in: "ants")
            try await drained()
            #expect(try groups() == ["dogs": 1, "cats": 2, "ants": 3])
            #expect(try bundle("g1/art@2x.png") != nil)
        }

        @Test func damagedFileOfABundleConcernsTheCategoriesThatHaveIt() async throws {
            var settings = Workshop.Settings()
            settings.sticker = ["packs": ["tuikit"]]
            try workshop.configure(settings)
            try put(1...2, in: "cats")
            try put(3...4, in: "dogs")
            try await drained()
            func lint(_ category: String) async throws -> Int32? {
                try await workshop.stickerctl("lint", category).exitCode
            }
            let shelf = "\(workshop.out)/_packs/tuikit"
            let packs = try library("tuikit")
            let folder = "\(shelf)/\(try #require(packs.folder))"
            let dogs = try #require(packs.packs.first { $0.category.rawValue == "dogs" }?.place)
            let menu = "\(folder)/bundle/CustomFaceResource.bundle/g\(dogs)/menu@2x.png"
            try FileManager.default.removeItem(atPath: menu)
            #expect(try await lint("cats") == 0)
            #expect(try await lint("dogs") == 3)

            let ending = try await workshop.drain()

            let told = ending.errors.split(separator: "\n").filter { $0.contains("made again") }
            #expect(ending.exitCode == 0 && !told.contains { $0.contains("cats") })
            #expect(FileManager.default.fileExists(atPath: menu))
            #expect(truncate("\(folder)/lists/ios.json", 1) == 0)
            for category in ["cats", "dogs"] { #expect(try await lint(category) == 3) }
            try await drained()
            for category in ["cats", "dogs"] { #expect(try await lint(category) == 0) }
        }

        @Test func fileThatNobodyPublishedIsRemovedFromAPack() async throws {
            try put(1...4, in: "cats")
            try await drained()
            let before = try current("cats")
            let extra = try place("android/cats/notes.txt", "cats")
            try Data("mine".utf8).write(to: URL(filePath: extra))
            #expect(try await workshop.stickerctl("lint", "cats").exitCode == 3)

            let ending = try await workshop.drain()

            #expect(ending.exitCode == 0)
            #expect(ending.errors.contains("notes.txt: this file was not published"))
            #expect(!FileManager.default.fileExists(atPath: extra))
            #expect(try current("cats") == before)
            #expect(try readiness("cats")?.ready == true)
        }

        // MARK: Packs of the whole library

        private func askForLibrary(_ platforms: [String] = ["whatsapp", "imgly"]) throws {
            var settings = Workshop.Settings()
            settings.sticker = ["packs": ["whatsapp", "imgly"], "emojis": ["🐱"]]
            settings.publish["deleteGraceSeconds"] = 0
            settings.publish["publicBaseURL"] = .text("https://example.org/")
            settings.publish["libraryPacks"] = .list(platforms)
            try workshop.configure(settings)
        }

        /// The `current.json` of the whole library.
        private func library(_ platform: String = "whatsapp") throws -> PublishedPacks {
            let path = "\(workshop.out)/_packs/\(platform)/current.json"
            return try JSONDecoder().decode(
                PublishedPacks.self, from: Data(contentsOf: URL(filePath: path)))
        }

        /// A path in the packs of the whole library that are handed over.
        private func inLibrary(_ path: String, _ platform: String = "whatsapp") throws -> String {
            let folder = try #require(try library(platform).folder)
            return "\(workshop.out)/_packs/\(platform)/\(folder)/\(path)"
        }

        /// The ids of the packs that an app of the whole library lists.
        private func listed(
            _ path: String, _ platform: String = "whatsapp", _ list: (Any?) -> Any?
        ) throws -> [String] {
            let bytes = try Data(contentsOf: URL(filePath: inLibrary(path, platform)))
            let object = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
            let packs = try #require(list(object) as? [[String: Any]])
            return packs.compactMap { $0["identifier"] as? String }
        }

        private func apps() throws -> [[String]] {
            let names = ["android/contents.json", "ios/sticker_packs.wasticker"]
            return try names.map { name in
                try listed(name) { ($0 as? [String: Any])?["sticker_packs"] }
            }
        }

        @Test func packsOfTheLibraryAreOneAppFolder() async throws {
            try askForLibrary()
            try put(1...4, in: "cats")
            try put(11...13, in: "dogs")
            try put(21...22, in: "few")
            try await drained()
            let before = try library()
            #expect(before.forms == ["android", "ios"])
            #expect(try apps() == [["cats", "dogs"], ["cats", "dogs"]])
            let catalog = try listed("catalog/stickers.json", "imgly") { object in
                ((object as? [String: Any])?["sticker"] as? [String: Any])?["categories"]
            }
            #expect(catalog == ["cats", "dogs", "few"])
            let status = try await workshop.stickerctl("status").output
            #expect(status.contains("whatsapp: 2 packs of 2 categories, without few"))

            // The same packs are the same folder.
            try await drained()
            #expect(try library() == before)

            try put(23...23, in: "few")
            try await drained()
            #expect(try apps() == [["cats", "dogs", "few"], ["cats", "dogs", "few"]])
            #expect(try library().folder != before.folder)
            #expect(try library().packs.map(\.version) == [1, 1, 1])
            let old = "\(workshop.out)/_packs/whatsapp/\(try #require(before.folder))"
            #expect(FileManager.default.fileExists(atPath: "\(old)/ios/cats-tray.png"))
        }

        @Test func damagedFileOfTheLibraryIsMadeAgain() async throws {
            try askForLibrary()
            try put(1...4, in: "cats")
            try put(11...13, in: "dogs")
            try await drained()
            let before = try library()
            let list = try #require(
                FileManager.default.contents(atPath: inLibrary("android/contents.json")))
            #expect(truncate(try inLibrary("android/contents.json"), 100) == 0)
            try FileManager.default.removeItem(atPath: inLibrary("ios/dogs-tray.png"))

            let ending = try await workshop.drain()

            #expect(ending.exitCode == 0)
            #expect(ending.errors.contains("packs are damaged and made again"))
            #expect(try library() == before)
            let path = try inLibrary("android/contents.json")
            #expect(FileManager.default.contents(atPath: path) == list)
            #expect(
                FileManager.default.fileExists(atPath: try inLibrary("ios/dogs-tray.png")))
        }

        @Test func packsOfTheLibraryAreWithdrawnIfNobodyAsksForThem() async throws {
            try askForLibrary()
            try put(1...4, in: "cats")
            try await drained()
            let before = try library()
            let file = try inLibrary("ios/cats-tray.png")

            try askForLibrary(["imgly"])
            try await drained()

            #expect(try library().folder == nil && library("imgly").folder != nil)
            #expect(try current("cats").folder != nil)
            // It stays for a while.
            #expect(FileManager.default.fileExists(atPath: file))
            try askForLibrary()
            try await drained()
            #expect(try library() == before)
        }

        private func groups() throws -> [String: Int] {
            let path = "\(workshop.out)/_packs/tuikit/current.json"
            let packs = try JSONDecoder().decode(
                PublishedPacks.self, from: Data(contentsOf: URL(filePath: path)))
            return Dictionary(
                packs.packs.map { ($0.category.rawValue, $0.place ?? 0) },
                uniquingKeysWith: { $1 })
        }

        private func bundle(_ path: String) throws -> Data? {
            let shelf = "\(workshop.out)/_packs/tuikit"
            let packs = try JSONDecoder().decode(
                PublishedPacks.self,
                from: Data(contentsOf: URL(filePath: "\(shelf)/current.json")))
            let folder = try #require(packs.folder)
            return FileManager.default.contents(
                atPath: "\(shelf)/\(folder)/bundle/CustomFaceResource.bundle/\(path)")
        }

        @Test func restoredPacksHaveHigherVersions() async throws {
            try put(1...3, in: "cats")
            try await drained()
            let backup = workshop.folder.path("backup")
            #expect(try await workshop.stickerctl("backup", backup).exitCode == 0)
            try put(4...4, in: "cats")
            try await drained()
            #expect(try current("cats").packs.map(\.version) == [2])

            for folder in [workshop.state, workshop.out] {
                try FileManager.default.removeItem(atPath: folder)
            }
            let restore = ["restore", backup, "--config", workshop.config]
            #expect(try await Program("stickerctl", restore).ending().exitCode == 0)
            let first = try await workshop.drain()
            let version = try #require(try current("cats").packs.first?.version)
            #expect(version > 2)
            let second = try await workshop.drain()
            #expect(first.exitCode == 0 && second.exitCode == 0)
            #expect(
                try current("cats").packs.map(\.version) == [version],
                "\(first.errors)\n\(second.errors)")
        }

        @Test func packsThatAreNotWantedAnyMoreAreWithdrawn() async throws {
            try put(1...3, in: "cats")
            try await drained()
            let versions = try current("cats").packs.map(\.version)
            var settings = Workshop.Settings()
            settings.sticker = ["emojis": ["🐱"]]
            try workshop.configure(settings)
            try await drained()
            #expect(try current("cats").folder == nil && current("cats").forms.isEmpty)
            #expect(try readiness("cats") == nil)

            settings.sticker["packs"] = ["whatsapp"]
            try workshop.configure(settings)
            try await drained()
            #expect(try current("cats").packs.map(\.version) == versions)
        }
    }
}
