import Foundation
import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerValues

/// Needs of `stickerd-web` besides right values: keys, and settings that do not contradict one another.
struct WebKeysTests {
    private let folder: TemporaryFolder
    private let settings: WebConfiguration

    init() throws {
        folder = try TemporaryFolder()
        var settings = WebConfiguration()
        settings.keys = ["zero"]
        self.settings = settings
    }

    @Test func keysComeFromTheFileAndFromACredentialOfItsName() throws {
        var settings = settings
        try folder.write(Array("# apps\n one \n\ntwo # of ann\r\n\t#three\n".utf8), to: "keys")
        try folder.write(Array("three".utf8), to: "credentials/keys")
        #expect(try settings.checkedKeys(credentials: nil) == ["zero"])
        settings.keysFile = folder.path("keys")
        #expect(try settings.checkedKeys(credentials: nil) == ["zero", "one", "two"])
        #expect(
            try settings.checkedKeys(credentials: folder.path("credentials")) == ["zero", "three"])
    }

    @Test func fileWithoutAKeyDoesNotOpenTheServerToEverybody() throws {
        var settings = WebConfiguration()
        try folder.write(Array("# all taken back\n".utf8), to: "keys")
        settings.keysFile = folder.path("keys")

        let error = #expect(throws: ConfigurationError.self) {
            try settings.checkedKeys(credentials: nil)
        }
        #expect(error?.faults.first?.path == "web.keysFile")
        settings.open = true
        #expect(try settings.checkedKeys(credentials: nil) == [])
    }

    @Test(arguments: ["key two", "gr\u{FC}n", "key two # of ann", "a.b", "key#ann"])
    func lineThatIsNoKeyIsAFaultAndNotShown(line: String) throws {
        var settings = settings
        try folder.write(Array("one\n\(line)\n".utf8), to: "keys")
        settings.keysFile = folder.path("keys")

        let error = #expect(throws: ConfigurationError.self) {
            try settings.checkedKeys(credentials: nil)
        }

        #expect(
            error?.description.hasPrefix(
                "web.keysFile: line 2 of \(folder.path("keys")) is not a key; use letters")
                == true)
        #expect(error?.description.contains(line) == false)
        #expect(error?.mayPass == false)
    }

    @Test func missingFileIsAFault() throws {
        var settings = settings
        settings.keysFile = folder.path("nothing")

        let error = #expect(throws: ConfigurationError.self) {
            try settings.checkedKeys(credentials: nil)
        }

        #expect(
            error?.description.contains("No such file or directory; is its name right?") == true)
    }

    @Test func addressForOthersNeedsKeysOrAWord() throws {
        var settings = WebConfiguration()
        settings.listen = try #require(WebAddress("10.0.0.1:80"))

        let error = #expect(throws: ConfigurationError.self) {
            try settings.checkedKeys(credentials: nil)
        }

        #expect(
            error?.faults.map(\.description) == [
                "web.listen: 10.0.0.1:80 is reachable from other machines; "
                    + "set web.keys, or web.open if everyone may read"
            ])
        settings.open = true
        #expect(try settings.checkedKeys(credentials: nil).isEmpty)
        settings.open = false
        settings.keys = ["one"]
        #expect(try settings.checkedKeys(credentials: nil) == ["one"])
    }

    @Test(arguments: ["0.0.0.0:80", "[::]:80"])
    func addressThatIsNoneForClientsNeedsOneThatIs(address: String) throws {
        var settings = settings
        settings.listen = try #require(WebAddress(address))

        let error = #expect(throws: ConfigurationError.self) {
            try settings.checkedKeys(credentials: nil)
        }

        #expect(
            error?.faults.map(\.description) == [
                "web.publicURL: is needed, as no client can connect to \(address); set the address "
                    + "for clients, such as http://stickers.example.org:80/"
            ])
        settings.publicURL = "https://stickers.example.org/"
        #expect(try settings.checkedKeys(credentials: nil) == ["zero"])
    }
}
