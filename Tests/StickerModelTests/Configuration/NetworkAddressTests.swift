import Foundation
import Testing

@testable import StickerModel

/// Addresses of clients and proxies.
struct NetworkAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("::ffff:10.0.0.1", "10.0.0.1"), ("[::1]", "::1"),
        ("2001:DB8:0:0::1", "2001:db8::/64"), ("fe80::1%eth0", "fe80::/64"),
    ])
    func clientIsAnAddressOrANetwork(text: String, party: String) {
        #expect(NetworkAddress(text)?.party == party)
    }

    @Test(arguments: ["", "localhost", "127.1", "10.0.0.256", "[127.0.0.1]", "::1::", "a:b"])
    func othersAreNone(text: String) { #expect(NetworkAddress(text) == nil) }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
        ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false),
        ("0.0.0.0/0", "8.8.8.8", true), ("::/0", "8.8.8.8", false),
        ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
    ])
    func rangeHasAnAddress(range: String, address: String, has: Bool) throws {
        let (found, address) = (
            try #require(AddressRange(range)), try #require(NetworkAddress(address))
        )
        #expect(found.contains(address) == has && found.description == range)
    }

    @Test(arguments: [
        #"{"web": {"trustedProxies": ["10.0.0.1/8"]}}"#,
        #"{"web": {"trustedProxies": ["::/129"]}}"#,
        #"{"console": {"trustedProxies": ["proxy"]}}"#, #"{"web": {"trustedProxies": [""]}}"#,
        #"{"web": {"hosts": ["a.example:80"]}}"#, #"{"web": {"hosts": ["http://a.example"]}}"#,
    ])
    func wrongOnesAreFaults(json: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(json: Data(json.utf8))
        }
        #expect(error?.faults.count == 1)
        #expect(error?.description.contains("allowed is a list") == true)
    }

    @Test func serverBeforeThisOneIsMissedWhereItShows() throws {
        func remarks(_ json: String) throws -> Int {
            let configuration = try Configuration(json: Data(json.utf8))
            return [configuration.web.proxyRemark, configuration.console.proxyRemark]
                .compactMap(\.self).count
        }
        let url = #""publicURL": "https://a.example/""#
        #expect(try remarks("{\"web\": {\(url)}, \"console\": {\"tokenFile\": \"a\"}}") == 2)
        #expect(try remarks("{\"web\": {\(url), \"trustedProxies\": [\"127.0.0.1\"]}}") == 0)
        #expect(try remarks("{\"web\": {\(url), \"listen\": \"10.0.0.1:80\"}}") == 0)
        #expect(try remarks("{}") == 0)
    }
}
