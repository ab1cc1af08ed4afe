import Foundation
import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerValues

struct ConfigurationTests {
    @Test func emptyObjectGivesTheDefaults() throws {
        #expect(try Configuration(json: Data("{}".utf8)) == Configuration())
    }

    @Test func everyFaultIsReportedAtOnce() {
        let json = #"""
            {
              "drops": [], "workers": 65, "out": "",
              "watch": { "settleSeconds": 0, "backend": "fsevents" },
              "limits": { "framesMax": 1.5 },
              "sticker": { "thumbnails": [ { "pixels": 144 }, { "pixels": 8, "format": "gif" } ] },
              "categories": { "cats": { "qualityMin": "high" }, ".hidden": {} }
            }
            """#

        expectFaults(
            json,
            [
                "drops: is [], allowed is a list of 1 to 64 different folders",
                "out: is \"\", allowed is a folder",
                "workers: is 65, allowed is a whole number from 0 to 64",
                "watch.backend: is \"fsevents\", allowed is one of \"auto\", \"inotifytools\", "
                    + "\"inotify\", \"polling\"",
                "watch.settleSeconds: is 0, allowed is a number from 0.1 to 60",
                "limits.framesMax: is 1.5, allowed is a whole number from 1 to 100000",
                "sticker.thumbnails[1].pixels: is 8, allowed is a whole number from 16 to 512",
                "sticker.thumbnails[1].format: is \"gif\", allowed is one of \"png\", \"webp\"",
                "categories..hidden: the key is not the name of one folder that stickerd reads",
                "categories.cats.qualityMin: is \"high\", allowed is a whole number from 0 to 100",
            ])
    }

    @Test(arguments: [
        (#"{"workres":1}"#, #"workres: unknown key; did you mean "workers"?"#),
        (#"{"Workers":1}"#, #"Workers: unknown key; did you mean "workers"?"#),
        (#"{"watch":{"settle":1}}"#, #"watch.settle: unknown key; did you mean "settleSeconds"?"#),
        (
            #"{"queue":{"xyz":1}}"#,
            "queue.xyz: unknown key; known here: historyBytesMax, historyDays, retrySeconds"
        ),
        (
            #"{"color":{"cmykprofil":null}}"#,
            #"color.cmykprofil: unknown key; did you mean "cmykProfile"?"#
        ),
        (#"{"sticker":{"\u001b[2J":1}}"#, #"sticker.\u{1b}[2J: unknown key; known here:"#),
    ])
    func unknownKeyIsAFaultWithANearMatch(json: String, fault: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(json: Data(json.utf8))
        }

        #expect(error?.faults.count == 1)
        #expect(error?.description.hasPrefix(fault) == true)
    }

    @Test(arguments: [
        (#"{"workers":"2"}"#, "workers"), (#"{"workers":true}"#, "workers"),
        (#"{"workers":null}"#, "workers"), (#"{"workers":-1}"#, "workers"),
        (#"{"workers":99999999999999999999}"#, "workers"), (#"{"watch":[]}"#, "watch"),
        (#"{"drops":"drop"}"#, "drops"), (#"{"drops":["a","a"]}"#, "drops"),
        (#"{"drops":["a",1]}"#, "drops"), (#"{"drops":[{"path":"a"},"a"]}"#, "drops"),
        (#"{"drops":[{"name":"a"}]}"#, "drops[0].path"),
        (#"{"drops":["a",{"path":"b","name":"B"}]}"#, "drops[1].name"),
        (#"{"drops":["a",{"path":"b","nam":"b"}]}"#, "drops[1].nam"),
        (#"{"drops":[{"path":"a","name":"n"},{"path":"b","name":"n"}]}"#, "drops"),
        (#"{"out":"a\u0000b"}"#, "out"),
        (#"{"defaultCategory":"a/b"}"#, "defaultCategory"),
        (#"{"defaultCategory":"a/\u0301b"}"#, "defaultCategory"),
        (#"{"queue":{"retrySeconds":[1,0]}}"#, "queue.retrySeconds"),
        (#"{"queue":{"retrySeconds":[1,"2"]}}"#, "queue.retrySeconds"),
        (#"{"sticker":{"emojis":["cat"]}}"#, "sticker.emojis"),
        (#"{"sticker":{"emojis":["😀","😁","😂","🤣"]}}"#, "sticker.emojis"),
        (#"{"sticker":{"thumbnails":[1]}}"#, "sticker.thumbnails[0]"),
        (#"{"sticker":{"companions":1}}"#, "sticker.companions"),
        (#"{"color":null}"#, "color"), (#"{"color":{"cmykProfile":1}}"#, "color.cmykProfile"),
        (#"{"color":{"cmykProfile":""}}"#, "color.cmykProfile"),
        (#"{"color":{"cmykProfile":"a\u0000b"}}"#, "color.cmykProfile"),
        (#"{"categories":{"a/b":{}}}"#, "categories.a/b"), (#"{"categories":[]}"#, "categories"),
        (#"{"categories":{"cats":{"drops":[]}}}"#, "categories.cats.drops"),
        (#"{"publish":{"publicBaseURL":"https://x.example"}}"#, "publish.publicBaseURL"),
        (#"{"publish":{"publicBaseURL":"ftp://x.example/"}}"#, "publish.publicBaseURL"),
        (#"{"publish":{"publicBaseURL":"https://x.example/a b/"}}"#, "publish.publicBaseURL"),
        (#"{"publish":{"publicBaseURL":"https://x.example/?a=/"}}"#, "publish.publicBaseURL"),
        (#"{"publish":{"publicBaseURL":"https:///"}}"#, "publish.publicBaseURL"),
        (#"{"publish":{"libraryPacks":["tuikit"]}}"#, "publish.libraryPacks"),
        ("[]", ""), ("{", ""), ("", ""), ("{} {}", ""), (#"{"workers":1,"workers":2}"#, ""),
    ])
    func wrongValueIsNamedByItsPath(json: String, path: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(json: Data(json.utf8))
        }

        #expect(error?.faults.map(\.path) == [path])
    }

    @Test func wordsOfACategoryStartFromTheCommonOnes() throws {
        let json = #"""
            {
              "sticker": {"words": {"publisher": "Ada", "links": {"website": "https://a.example"}}},
              "categories": {"bob": {"words": {"publisher": "Bob", "licence": "MIT"}}}
            }
            """#

        let configuration = try Configuration(json: Data(json.utf8))

        let bob = try #require(configuration.categories["bob"]?.words)
        #expect(configuration.sticker.words.publisher == "Ada")
        #expect(bob.publisher == "Bob" && bob.licence == "MIT")
        #expect(bob.links?.website == "https://a.example")
        expectFaults(
            #"{"sticker": {"words": {"publisher": "", "title": "T"}}}"#,
            [
                #"sticker.words.publisher: is "", allowed is a text of 1 to 128 visible characters"#,
                "sticker.words.title: unknown key; known here: "
                    + "description, licence, links, publisher",
            ])
    }

    @Test func dropsMayHaveNames() throws {
        let json = #"{"drops": ["a", {"path": "/b", "name": "art-2"}, {"path": "c"}]}"#

        let file = ConfigurationFile.resolved(
            try Configuration(json: Data(json.utf8)), path: "/etc/config.json")

        #expect(
            file.configuration.drops == [
                "/etc/a", DropFolder(path: "/b", name: "art-2"), "/etc/c",
            ])
    }

    @Test func wholeNumbersMayBeWrittenWithAPoint() throws {
        let json = #"{"workers": 2.0, "limits": {"framesMax": 1e2}, "watch": {"pollSeconds": 3}}"#

        let configuration = try Configuration(json: Data(json.utf8))

        #expect(configuration.workers == 2)
        #expect(configuration.limits.framesMax == 100)
        #expect(configuration.watch.pollSeconds == 3)
    }

    @Test func categoryStartsFromTheCommonSettings() throws {
        let json = #"""
            {
              "categories": { "pixel art": { "resample": "nearest", "emojis": ["👾"] } },
              "sticker": { "marginPixels": 16, "resample": "lanczos3" },
              "defaultCategory": "misc"
            }
            """#

        let configuration = try Configuration(json: Data(json.utf8))

        var expected = configuration.sticker
        expected.resample = .nearest
        expected.emojis = ["👾"]
        #expect(expected.marginPixels == 16)
        #expect(
            configuration.settings(of: CategoryNames(folder: Array("pixel art".utf8))) == expected)
        #expect(
            configuration.settings(of: CategoryNames(folder: Array("cats".utf8)))
                == configuration.sticker)
        #expect(configuration.settings(of: CategoryNames(folder: nil)) == configuration.sticker)
    }

    @Test func filesInTheDropItselfFollowTheDefaultCategory() throws {
        let json = #"{"categories": {"misc": {"qualityMin": 50}}, "defaultCategory": "misc"}"#

        let configuration = try Configuration(json: Data(json.utf8))

        #expect(configuration.settings(of: CategoryNames(folder: nil)).qualityMin == 50)
    }

    @Test func composedAndDecomposedFolderNamesAreTheSameCategory() throws {
        let json = "{\"categories\": {\"caf\u{E9}\": {\"qualityMin\": 50}}}"

        let configuration = try Configuration(json: Data(json.utf8))

        let folder = Array("cafe\u{301}".utf8)
        #expect(configuration.settings(of: CategoryNames(folder: folder)).qualityMin == 50)
    }

    @Test func shippedFileEqualsTheDefaults() throws {
        var shipped = try Configuration(json: Repository.data("config.json"))

        // An upgrade must not let a console write to drops that nobody named to it.
        #expect(shipped.console.drops == ["drop"] && Configuration().console.drops == [])
        shipped.console.drops = []
        #expect(shipped == Configuration())
    }

    @Test func shippedFileShowsEveryKey() throws {
        let findings = Findings()

        _ = Configuration(try JSONParser.parse(Array(Repository.data("config.json"))), findings)

        #expect(findings.absent?.filter { !$0.hasPrefix("sticker.words.") } == [])
        #expect(findings.faults == [])
    }

    @Test func absentKeysAreNoted() throws {
        let findings = Findings()
        let json =
            #"{"drops": ["a"], "watch": {"backend": "auto"}, "sticker": {"thumbnails": [{}]}}"#

        _ = Configuration(try JSONParser.parse(Array(json.utf8)), findings)

        let absent = try #require(findings.absent)
        #expect(!absent.contains("drops"))
        for path in ["out", "queue", "watch.pollSeconds", "sticker.thumbnails[0].pixels"] {
            #expect(absent.contains(path))
        }
    }

    @Test func installedFileOnlyMovesTheFolders() throws {
        var configuration = try Configuration(json: Repository.data("systemd/config.json"))

        #expect(configuration.drops == ["/srv/stickerd/drop"])
        #expect(configuration.out == "/srv/stickerd/out")
        #expect(configuration.state == "/var/lib/stickerd")
        #expect(configuration.run == "/run/stickerd")
        (configuration.drops, configuration.out, configuration.state) = (["drop"], "out", "state")
        #expect(configuration.personal.private == "/srv/stickerd/private")
        #expect(configuration.console.drops == ["/srv/stickerd/drop"])
        configuration.console.drops = []
        (configuration.run, configuration.personal.private) = ("run", "private")
        #expect(configuration == Configuration())
    }

    private func expectFaults(
        _ json: String, _ faults: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: ConfigurationError.self, sourceLocation: sourceLocation) {
            try Configuration(json: Data(json.utf8))
        }

        #expect(
            error?.description.split(separator: "\n").sorted() == faults.map { $0[...] }.sorted(),
            sourceLocation: sourceLocation)
    }
}
