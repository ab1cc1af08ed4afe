import Foundation
import Testing

@testable import StickerConfiguration
@testable import StickerValues

/// Addresses of clients and proxies.
struct NetworkAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("::ffff:10.0.0.1", "10.0.0.1"), ("[::1]", "::1"),
        ("2001:DB8:0:0::1", "2001:db8::/64"), ("fe80::1%eth0", "fe80::1"),
        ("febf::2", "febf::2"), ("fec0::2", "fec0::/64"),
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
        (#"{"web": {"trustedProxies": ["::1", "10.0.0.1/8"]}}"#, "web.trustedProxies[1]: is \"10"),
        (#"{"web": {"trustedProxies": ["::/129"]}}"#, "web.trustedProxies[0]: is \"::/129\""),
        (#"{"console": {"trustedProxies": ["proxy"]}}"#, "console.trustedProxies[0]: is"),
        (#"{"web": {"trustedProxies": ["127.0.0.1", 7]}}"#, "web.trustedProxies[1]: is 7"),
        (#"{"web": {"trustedProxies": [""]}}"#, "allowed is an address or a range such as"),
        (#"{"web": {"trustedProxies": "::1"}}"#, "allowed is a list of addresses or ranges"),
        (#"{"web": {"hosts": ["b.example", "a.example:80"]}}"#, "web.hosts[1]: is \"a.ex"),
        (#"{"web": {"hosts": ["http://a.example"]}}"#, "allowed is a name such as"),
    ])
    func wrongEntryIsNamed(json: String, part: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(json: Data(json.utf8))
        }
        #expect(error?.faults.count == 1 && error?.description.contains(part) == true)
    }

    @Test(arguments: [
        ("0.0.0.0/0", true), ("::/0", true), ("0.0.0.0/1", true), ("192.0.0.0/8", true),
        ("2000::/3", true), ("8.0.0.0/11", true), ("8.0.0.0/12", false), ("2a06:98c0::/29", false),
        ("10.0.0.0/8", false), ("10.0.0.0/7", true), ("100.64.0.0/10", false),
        ("fc00::/7", false), ("fd00::/8", false), ("fe80::/10", false), ("127.0.0.0/8", false),
        ("127.0.0.1", false), ("::1", false),
    ])
    func rangeOfStrangersIsTold(range: String, isWide: Bool) throws {
        let json = #"{"web": {"trustedProxies": ["::1", "\#(range)"]}}"#
        let web = try Configuration(json: Data(json.utf8)).web
        let start = "web.trustedProxies[1]: \(range) includes other clients"
        #expect(web.proxyRemarks.count == (isWide ? 1 : 0))
        #expect(web.proxyRemarks.allSatisfy { $0.hasPrefix(start) })
    }

    @Test func serverBeforeThisOneIsMissedWhereItShows() throws {
        func remarks(_ json: String) throws -> [Int] {
            let configuration = try Configuration(json: Data(json.utf8))
            let web = configuration.web
            return [web.proxyRemarks.count, configuration.console.proxyRemarks(beside: web).count]
        }
        let url = #""publicURL": "https://a.example/""#
        let token = #""console": {"tokenFile": "a"}"#
        let wide = #""listen": "10.0.0.1:80""#
        let named = #""trustedProxies": ["::1"]"#
        #expect(try remarks("{\"web\": {\(url)}, \(token)}") == [1, 1])
        #expect(try remarks("{\"web\": {\(url), \(named)}, \(token)}") == [0, 1])
        #expect(try remarks("{\"web\": {\(url), \(wide)}, \(token)}") == [0, 0])
        #expect(try remarks("{\(token)}") == [0, 0])
        #expect(try remarks("{\"web\": {\(url)}}") == [1, 0])
        let open = #""listen": "10.0.0.1:8513", "tokenFile": "a""#
        #expect(try remarks("{\"console\": {\(open)}}") == [0, 1])
        #expect(try remarks("{\"console\": {\(open), \(named)}}") == [0, 0])
        #expect(try remarks(#"{"console": {"trustedProxies": ["::/0"]}}"#) == [0, 1])
    }
}
