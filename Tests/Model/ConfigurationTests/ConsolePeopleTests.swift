import Foundation
import StickerConfiguration
import StickerValues
import Testing

/// The people of the console.
struct ConsolePeopleTests {
    private static let hash = String(repeating: "0f", count: 32)

    @Test func peopleHaveARoleAndATokenOrAProxy() throws {
        let json = """
            {"console": {"listen": "0.0.0.0:8513", "userHeader": "Remote-User", "trustedProxies": ["::1"], "userSecretSHA256": "\(Self.hash)", "people": {
                "ada@example.org": {"role": "artist", "categories": ["cats", "dogs_2"]},
                "Ève": {"role": "editor", "tokenSHA256": "\(Self.hash)"}, "root": {"role": "operator"}}}}
            """

        let configuration = try Configuration(json: Data(json.utf8))
        let console = configuration.console

        #expect(console.userHeader == "Remote-User" && console.people.count == 3)
        let ada = try #require(console.people["ada@example.org"])
        #expect(ada.role == .artist && ada.tokenSHA256 == nil)
        #expect(ada.categories == [CategoryID(rawValue: "cats"), CategoryID(rawValue: "dogs_2")])
        #expect(console.people["Ève"]?.tokenSHA256 == Self.hash)
        #expect(console.people["root"]?.role == .operate)
        // A report for others does not have it.
        #expect(!configuration.shownSettings.contains { "\($0)".contains(Self.hash) })
        // Nobody comes in without a name, so no token of all is needed.
        #expect(try console.checkedToken(credentials: nil) == nil)
    }

    @Test(arguments: [
        (#""people": {"ada": {"role": "artist", "tokenSHA256": "HASH"}}"#, "names no category"),
        (
            #""people": {"eve": {"role": "editor", "categories": ["cats"], "tokenSHA256": "HASH"}}"#,
            "is for artists"
        ),
        (
            #""people": {"eve": {"role": "boss", "categories": ["a"], "tokenSHA256": "HASH"}}"#,
            "people.eve.role: is"
        ),
        (#""people": {"eve": {"role": "editor"}}"#, "eve cannot come in"),
        (
            #""userHeader": "A", "trustedProxies": ["192.0.2.1"], "people": {"eve": {"role": "editor", "tokenSHA256": "abc"}}"#,
            "people.eve.tokenSHA256"
        ),
        (
            #""people": {"a": {"role": "editor", "tokenSHA256": "HASH"}, "b": {"role": "operator", "tokenSHA256": "HASH"}}"#,
            "a and b have the same token"
        ),
        (#""people": {"operator": {"role": "editor", "tokenSHA256": "HASH"}}"#, "the key is not"),
        (#""people": {"a b": {"role": "editor", "tokenSHA256": "HASH"}}"#, "the key is not"),
        (#""people": {"a,b": {"role": "editor", "tokenSHA256": "HASH"}}"#, "the key is not"),
        (#""userHeader": "Remote-User", "people": {"a": {"role": "editor"}}"#, "is believed of"),
        (#""userHeader": "Remote-User", "trustedProxies": ["192.0.2.1"]"#, "names nobody"),
        (
            #""userHeader": "U", "trustedProxies": ["127.0.0.0/8"], "people": {"a": {"role": "editor"}}"#,
            "could be sent by every program"
        ),
        (
            #""userHeader": "Remote User", "trustedProxies": ["192.0.2.1"]"#,
            "console.userHeader: is"
        ),
    ])
    func wrongPersonIsNamed(console: String, part: String) {
        let json = "{\"console\": {\(console.replacing("HASH", with: Self.hash))}}"

        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(json: Data(json.utf8))
        }

        #expect(error?.faults.count == 1, "\(error?.description ?? "")")
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
}
