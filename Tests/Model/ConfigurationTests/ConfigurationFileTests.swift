import Foundation
import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerValues

struct ConfigurationFileTests {
    @Test(arguments: [
        (#""drop": "drop/uploads""#, 1), (#""drop": "uploads", "private": "out/mine""#, 1),
        (#""drop": "uploads", "private": "out""#, 1), (#""drop": ".""#, 7),
        (#""drop": "uploads", "private": "uploads/mine""#, 1), (#""drop": "uploads""#, 0),
        (#""drop": null, "private": "out""#, 0), (#""drop": "out2""#, 0),
        (#""drop": "uploads", "private": "none/../out/mine""#, 1), (#""drop": "/""#, 7),
        (#""drop": "uploads/../../..""#, 7), (#""drop": "state-personal""#, 1),
        (#""drop": "uploads", "private": "run-personal/x""#, 1),
    ]) func uploadsAreNotConfiguredToBePublic(personal: String, faults: Int) throws {
        let json = #"{ "drops": ["drop"], "personal": { \#(personal) } }"#
        let file = try ConfigurationFile.parse(Array(json.utf8), at: "/srv/config.json")
        guard faults > 0 else { return try file.configuration.checkPersonal { _, _ in false } }

        let error = #expect(throws: ConfigurationError.self) {
            try file.configuration.checkPersonal { _, _ in false }
        }

        #expect(error?.faults.count == faults)
    }

    @Test func uploadsAreNotLedToWhatIsPublicByLinks() throws {
        let json = #"{ "personal": { "drop": "uploads" } }"#
        let file = try ConfigurationFile.parse(Array(json.utf8), at: "/srv/config.json")

        let error = #expect(throws: ConfigurationError.self) {
            try file.configuration.checkPersonal { $0 == "/srv/private" && $1 == "/srv/out" }
        }

        #expect(
            error?.faults.map(\.description) == [
                "personal.private: /srv/private and out /srv/out overlap; name another folder"
            ])
    }

    @Test func libraryOfUploadsHasFoldersOfItsOwn() throws {
        let json = """
            { "drops": ["drop"], "run": "run", "personal": { "drop": "uploads", "private": "mine" },
            "sticker": { "packs": ["whatsapp"], "marginPixels": 8, "tint": { "mode": "solid" } } }
            """
        let file = try ConfigurationFile.parse(Array(json.utf8), at: "/srv/config.json")

        let uploads = try file.ofUploads()

        let configuration = uploads.configuration
        #expect(uploads.isOfUploads && !file.isOfUploads)
        #expect(configuration.dropPaths == ["/srv/uploads"] && configuration.out == "/srv/mine")
        #expect(configuration.state == "/srv/state-personal")
        #expect(configuration.run == "/srv/run-personal")
        #expect(configuration.sticker.packs.isEmpty && configuration.sticker.marginPixels == 8)
        #expect(configuration.sticker.tint == StickerSettings().tint)
        #expect(configuration.publish.trashDays == 0)
        let none = try ConfigurationFile.parse(Array("{}".utf8), at: "/srv/config.json")
        #expect(throws: ConfigurationError.self) { try none.ofUploads() }
    }

    @Test(
        arguments: [
            (#"{ "drop": "uploads" }"#, EncodingGoal.smallest),
            (#"{ "drop": "uploads", "goal": null }"#, .smallest),
            (#"{ "drop": "uploads", "goal": "balanced" }"#, .balanced),
        ])
    func uploadsHaveTheirOwnGoal(personal: String, goal: EncodingGoal) throws {
        let json = #"{ "sticker": { "goal": "smallest" }, "personal": \#(personal) }"#
        let file = try ConfigurationFile.parse(Array(json.utf8), at: "/srv/config.json")

        #expect(try file.ofUploads().configuration.sticker.goal == goal)
        #expect(file.configuration.sticker.goal == .smallest)
    }

    @Test func goalOfUploadsIsOneThatThereIs() throws {
        let json = #"{ "personal": { "drop": "uploads", "goal": "fast" } }"#

        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationFile.parse(Array(json.utf8), at: "/srv/config.json")
        }

        let message = error?.faults.map(\.description).joined() ?? ""
        #expect(message.contains("personal.goal") && message.contains("balanced"))
    }

    @Test func fileOfTheWorkingFolderCountsWhereThatIsTrusted() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("{}".utf8), to: "config.json")

        let places = [true, false].map { isTrusted in
            ConfigurationFile.place(
                flag: nil, environment: [:], workingFolder: folder.path, isTrusted: isTrusted)
        }

        #expect(places[0] == folder.path("config.json"))
        #expect(places[1] != folder.path("config.json"))
    }

    @Test func profileIsLookedForBesideTheConfiguration() throws {
        let json = #"{"color": {"cmykProfile": "inks.icc"}}"#
        let configuration = try Configuration(json: Data(json.utf8))

        let file = ConfigurationFile.resolved(configuration, path: "/etc/stickerd/config.json")

        #expect(file.configuration.color.cmykProfile?.path == "/etc/stickerd/inks.icc")
    }

    @Test(arguments: [
        ("/etc/stickerd/config.json", "{}", "/run/stickerd"),
        ("/home/ann/config.json", "{}", "/home/ann/run"),
        ("/etcetera/config.json", "{}", "/etcetera/run"),
        ("/etc/stickerd/config.json", #"{"run": "facts"}"#, "/etc/stickerd/facts"),
        ("/home/ann/config.json", #"{"run": "/tmp/facts"}"#, "/tmp/facts"),
    ])
    func runIsBesideTheConfigurationUnlessThatIsInEtc(
        path: String, json: String, run: String
    ) throws {
        let configuration = try Configuration(json: Data(json.utf8))

        #expect(ConfigurationFile.resolved(configuration, path: path).configuration.run == run)
    }

    @Test func fileThatIsNamedCountsWhereverItLies() throws {
        let folder = try TemporaryFolder()

        let byFlag = ConfigurationFile.place(
            flag: "a.json", environment: ["STICKERD_CONFIG": "b.json"],
            workingFolder: folder.path, isTrusted: false)
        let byVariable = ConfigurationFile.place(
            flag: nil, environment: ["STICKERD_CONFIG": "b.json"], workingFolder: folder.path,
            isTrusted: false)

        #expect(byFlag == folder.path("a.json"))
        #expect(byVariable == folder.path("b.json"))
    }

    @Test func faultOfTheWholeFileNamesIt() {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationFile.parse(Array("{ \"out\": ".utf8), at: "/srv/config.json")
        }

        #expect(error?.faults.first?.description.hasPrefix("/srv/config.json: not JSON: ") == true)
    }
}
