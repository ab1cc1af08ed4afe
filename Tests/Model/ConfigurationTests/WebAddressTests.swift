import Foundation
import Testing

@testable import StickerConfiguration
@testable import StickerValues

/// Where the web server may listen.
struct WebAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8512", "127.0.0.1", 8512), ("[::1]:1", "::1", 1),
        ("stickers.example.org:65535", "stickers.example.org", 65535),
    ])
    func addressHasAHostAndAPort(text: String, host: String, port: Int) throws {
        let address = try #require(WebAddress(text))

        #expect(address.host == host && address.port == port)
        #expect(address.description == text)
    }

    @Test(arguments: [
        "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:99999", "127.0.0.1", ":8512", "::1:8512",
        "[::1]", "a b:80", "127.0.0.1:+80", "",
    ])
    func othersAreFaultsThatNameTheRange(text: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(json: Data(#"{"web": {"listen": "\#(text)"}}"#.utf8))
        }

        #expect(
            error?.description
                == "web.listen: is \"\(text)\", allowed is an address and a port from 1 to 65535, "
                + "such as 127.0.0.1:8512")
    }

    @Test func faultOfTheConsoleNamesItsOwnPort() {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(json: Data(#"{"console": {"listen": "here"}}"#.utf8))
        }
        #expect(error?.description.hasSuffix("such as 127.0.0.1:8513") == true)
    }

    @Test(arguments: [
        "0.0.0.0", "[::]", "[::0]", "[0:0:0:0:0:0:0:0]", "[::ffff:0.0.0.0]", "0", "0.0",
    ])
    func allAddressesAreNone(host: String) {
        let address = WebAddress("\(host):80")
        #expect(address?.isWildcard == true)
        #expect(address?.isLoopback == false)
    }

    @Test(arguments: ["127.0.0.1", "127.9.9.9", "[::1]", "[::ffff:127.0.0.1]", "localhost"])
    func ownAddressesAreForThisMachine(host: String) {
        let address = WebAddress("\(host):80")
        #expect(address?.isLoopback == true)
        #expect(address?.isWildcard == false)
    }

    @Test(arguments: ["10.0.0.1", "[fe80::1]", "127.example.org", "[::ffff:10.0.0.1]", "[100::1]"])
    func othersAreForANetwork(host: String) {
        let address = WebAddress("\(host):80")
        #expect(address?.isLoopback == false)
        #expect(address?.isWildcard == false)
    }
}
