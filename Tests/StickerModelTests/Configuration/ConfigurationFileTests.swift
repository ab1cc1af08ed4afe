import Foundation
import StickerTestSupport
import Testing

@testable import StickerModel

struct ConfigurationFileTests {
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
}
