import Foundation
import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerValues

/// Secrets of the configuration are in no text that others read.
struct SecretSettingTests {
    private static let marker = "MARKER_0123456789"
    private static let upstream = #"{ "title": "Cats", "url": "https://cats.example" }"#

    /// The paths of all keys of the shipped file, and those of what has names of its own.
    private static func paths() throws -> [[String]] {
        let file = try JSONSerialization.jsonObject(with: Repository.data("config.json"))
        func paths(of value: Any) -> [[String]] {
            guard let object = value as? [String: Any] else { return [[]] }
            return [[]] + object.flatMap { key, member in paths(of: member).map { [key] + $0 } }
        }
        let upstream = Mirror(reflecting: UpstreamConfiguration(CategoryID(rawValue: "cats")))
            .children.compactMap(\.label).filter { $0 != "identifier" && $0 != "passesUnrated" }
            .map { ["web", "upstreams", "cats", $0] }
        return paths(of: file).filter { !$0.isEmpty } + upstream
            + [["web", "token"], ["web", "apiKey"], ["categories", "cats", "matte"]]
    }

    /// The report on a configuration with one value set.
    private static func text(_ path: [String], _ value: Any) throws -> String {
        var object: Any = value
        for key in path.reversed() {
            object = [key: object]
            if key == "cats", path.contains("upstreams"), var members = object as? [String: Any] {
                let whole = ["title": "Cats", "url": "https://cats.example"] as [String: Any]
                let own = members["cats"] as? [String: Any] ?? [:]
                members["cats"] = whole.merging(own) { $1 }
                object = members
            }
        }
        let json = try JSONSerialization.data(withJSONObject: object)
        let findings = Findings()
        let configuration = Configuration(try JSONParser.parse(Array(json)), findings)
        let lines =
            configuration.shownSettings.map { "\($0) = \($1)" }
            + findings.faults.map(\.description)
        return SecretText(configuration).hidden(in: lines.joined(separator: "\n"))
    }

    @Test func everySettingIsShownAsASecretOrNot() throws {
        let json = #"{ "web": { "upstreams": { "cats": \#(Self.upstream) } } }"#
        let shown = try Configuration(json: Data(json.utf8)).shownSettings

        let groups: Set = [
            "categories", "targets", "sticker.words", "web.upstreams", "console.people",
        ]
        for path in try Self.paths().filter({ $0.count > 1 && $0[0] != "categories" }) {
            let key = path.joined(separator: ".")
            guard !groups.contains(key), !shown.keys.contains(where: { $0.hasPrefix("\(key).") }),
                !["web.token", "web.apiKey"].contains(key)
            else { continue }
            #expect(shown[key] != nil, "\(key)")
        }
    }

    @Test func keysThatSoundLikeSecretsAreSecrets() throws {
        let paths = try Self.paths().map { $0.joined(separator: ".") }
        for path in paths {
            let key = path.split(separator: ".").last ?? ""
            let sounds = key.contains(/(?i)key|token|secret|pass|credential/)
            #expect(
                (SecretSetting.isSecret(path) || SecretSetting.namesFile(path)) == sounds,
                "\(path)")
        }
        #expect(paths.filter(SecretSetting.namesFile).count == 5)
        #expect(SecretSetting.isSecret("web.keys") && !SecretSetting.isSecret("sticker.keywords"))
    }

    @Test func markerOfNoSecretIsShown() throws {
        var visible = 0
        for path in try Self.paths() {
            let name = path.joined(separator: ".")
            for value in [Self.marker, [Self.marker], ["\(Self.marker) \(Self.marker)"]] as [Any] {
                let text = try Self.text(path, value)
                let isShown = text.contains(Self.marker)
                if SecretSetting.isAboutSecrets(name) { #expect(!isShown, "\(name): \(text)") }
                visible += isShown ? 1 : 0
            }
            let address = "https://ann:\(Self.marker)@stickers.example/"
            for value in [address, [address]] as [Any] {
                #expect(try !Self.text(path, value).contains(Self.marker), "\(name)")
            }
        }
        // Otherwise nothing would be shown at all.
        #expect(visible > 20)
    }

    @Test func contentOfFilesWithSecretsIsTakenOutOfAnyText() throws {
        let folder = try TemporaryFolder()
        let token = String(repeating: "0a", count: 32)
        try folder.write(Array("# ann\n\(Self.marker) # mine\n".utf8), to: "keys")
        try folder.write(Array("ann \(token)\n".utf8), to: "tokens")
        let json = """
            { "web": { "keys": ["in_the_file"], "keysFile": "keys" }, "personal": { "drop": "up",
            "tokensFile": "tokens" }, "console": { "tokenFile": "\(Self.marker)_slip" } }
            """
        let file = try ConfigurationFile.parse(Array(json.utf8), at: folder.path("config.json"))

        let shown = file.configuration.shownSettings
        let text = SecretText(file.configuration)
            .hidden(
                in: "\(Self.marker) in_the_file \(token) ann \(folder.path("\(Self.marker)_slip"))")

        #expect(shown["web.keys"] == "(not shown)")
        #expect(shown["web.keysFile"] == "\"\(folder.path("keys"))\"")
        #expect(shown["console.tokenFile"] == "(not shown): there is no such file")
        #expect(text == "(not shown) (not shown) (not shown) ann (not shown)")
    }

    @Test(arguments: [
        ("at https://ann:pa@ss@host/x", "at https://(not shown)@host/x"),
        ("GET /v1?api_key=abc&q=cats HTTP", "GET /v1?api_key=(not shown)&q=cats HTTP"),
        ("?q=a&Token=abc", "?q=a&Token=(not shown)"),
        ("Authorization: Bearer abcdefgh.ij", "Authorization: Bearer (not shown)"),
        ("mail ann@example.org about https://host/a", "mail ann@example.org about https://host/a"),
    ])
    func whatLooksLikeASecretIsTakenOut(text: String, expected: String) {
        #expect(SecretText(Configuration()).hidden(in: text) == expected)
    }

    @Test func faultsOfSecretsDoNotShowThem() throws {
        let json = #"{ "web": { "keys": ["\#(Self.marker) !"] }, "console": { "tokenFile": 77 } }"#

        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(json: Data(json.utf8))
        }

        #expect(error?.faults.count == 2)
        #expect(error?.description.contains(Self.marker) == false)
        #expect(error?.description.contains("77") == false)
    }
}
