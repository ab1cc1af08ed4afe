import FoundationEssentials
import StickerTestSupport
import Testing

@testable import StickerConfiguration
@testable import StickerValues

/// The keys of `web.upstreams`.
struct UpstreamConfigurationTests {
    private func faults(_ upstreams: String) -> [String] {
        do throws(ConfigurationError) {
            _ = try read(upstreams)
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    private func read(_ upstreams: String) throws(ConfigurationError) -> [UpstreamConfiguration] {
        let json = Data(#"{ "web": { "upstreams": { \#(upstreams) } } }"#.utf8)
        return try StickerConfiguration.Configuration(json: json).web.upstreams
    }

    @Test func giphyNeedsNothingButATitle() throws {
        let found = try read(#""giphy": { "kind": "giphy", "title": "GIPHY" }"#)

        let giphy = try #require(found.first)
        #expect(giphy.identifier.rawValue == "giphy" && giphy.rating == .general)
        #expect(giphy.url == "https://api.giphy.com/v1/stickers" && giphy.callsPerHour == 100)
        #expect(giphy.attribution == "Powered by GIPHY" && !giphy.merged && giphy.language == "en")
        #expect(giphy.imageHosts.contains("media3.giphy.com") && giphy.imageHosts.count == 7)
        #expect(giphy.credential == "upstream-giphy.key" && !giphy.isKeyless)
    }

    @Test func providersPicturesAreThoseOfItsHostUnlessSaidOtherwise() throws {
        let one = #""title": "One", "url": "https://One.example/api/stickers/""#
        #expect(try read(#""one": { \#(one) }"#).first?.imageHosts == ["one.example"])
        #expect(try read(#""one": { \#(one) }"#).first?.url == "https://One.example/api/stickers")
        let hosts = #""imageHosts": ["*.cdn.example", "a-b.example"]"#
        #expect(try read(#""one": { \#(one), \#(hosts) }"#).first?.imageHosts.count == 2)
        for url in ["http://127.0.0.1:80/x", "https://[::1]/x", "https://a.example:444/x"] {
            let found = faults(#""one": { "title": "One", "url": "\#(url)" }"#)
            #expect(found.count == 1 && found[0].contains("imageHosts: is needed"), "\(url)")
        }
    }

    @Test(arguments: [("", true), (#", "rating": "g""#, false), (#", "rating": "r""#, true)])
    func whoWritesARatingWantsRatedStickers(_ more: String, _ passes: Bool) throws {
        let found = try read(#""one": { "title": "One", "url": "https://one.example"\#(more) }"#)
        #expect(found.first?.passesUnrated == passes)
    }

    @Test(arguments: [
        (#""kind": "giphi""#, "kind"), (#""title": """#, "title"), (#""title": 7"#, "title"),
        (#""title": "a\u0000b""#, "title"), (#""url": "http://a.example/""#, "url"),
        (#""url": "https://me:x@a.example/""#, "url"), (#""url": "https://a.example/?q=1""#, "url"),
        (#""rating": "x""#, "rating"), (#""language": "en""#, "language"),
        (#""attribution": "\n""#, "attribution"),
        (#""attributionURL": "javascript:alert(1)""#, "attributionURL"),
        (#""attributionURL": "http://127.0.0.1/""#, "attributionURL"),
        (#""imageHosts": ["a.example/x"]"#, "imageHosts"), (#""imageHosts": ["*"]"#, "imageHosts"),
        (#""imageHosts": ["*.example"]"#, "imageHosts"),
        (#""imageHosts": ["a.b; x"]"#, "imageHosts"),
        (#""callsPerHour": -1"#, "callsPerHour"), (#""merged": 1"#, "merged"),
        (#""more": 1"#, "more"),
    ]) func faultsAreSaid(_ member: String, _ key: String) {
        let rest = [#""title": "One""#, #""url": "https://a.example/x""#]
            .filter { !$0.hasPrefix(#""\#(key)""#) }
        let found = faults(#""one": { \#((rest + [member]).joined(separator: ", ")) }"#)
        #expect(found.count == 1 && found[0].hasPrefix("web.upstreams.one.\(key): "), "\(found)")
    }

    @Test func titleAndAddressCannotBeAbsent() {
        #expect(
            faults(#""one": {}"#).map { $0.prefix { $0 != ":" } } == [
                "web.upstreams.one.title", "web.upstreams.one.url",
            ])
        let found = faults(
            #""giphy": { "kind": "giphy", "title": "GIPHY", "language": "xx" }"#)
        #expect(found.count == 1 && found[0].contains("zh-TW"))
    }

    @Test(arguments: [
        "", "_a", "A", "a.b", "a/b", "imgly_sticker", String(repeating: "a", count: 61),
    ])
    func idsAreLikeOurs(_ id: String) {
        let found = faults(#""\#(id)": { "kind": "giphy", "title": "One" }"#)
        #expect(found.count == 1 && found[0].contains("is not an id"), "\(found)")
    }

    @Test func titlesAndCountAreBounded() {
        let twice =
            #""a": { "kind": "giphy", "title": "One" }, "b": { "kind": "giphy", "title": "ONE" }"#
        #expect(faults(twice).first?.hasPrefix("web.upstreams.b.title: is that of a") == true)
        let many = (1...9).map { #""a\#($0)": { "kind": "giphy", "title": "\#($0)" }"# }
        #expect(faults(many.joined(separator: ",")).first?.contains("allowed are 8") == true)
    }

    @Test func keyIsThatOfTheCredentialOrOfTheFile() throws {
        let folder = try TemporaryFolder()
        var giphy = UpstreamConfiguration(CategoryID(rawValue: "gifs"), .giphy)
        let error = #expect(throws: ConfigurationError.self) { try giphy.key(credentials: nil) }
        #expect(error?.faults.first?.path == "web.upstreams.gifs.keyFile")
        #expect(try UpstreamConfiguration(CategoryID(rawValue: "a")).key(credentials: nil) == nil)
        giphy.keyFile = try folder.write(Array("abc # mine\n".utf8), to: "file")
        #expect(try giphy.key(credentials: folder.path) == "abc")
        try folder.write(Array("def".utf8), to: "upstream-gifs.key")
        #expect(try giphy.key(credentials: folder.path) == "def")
        try folder.write(Array("Se cret".utf8), to: "upstream-gifs.key")
        let wrong = #expect(throws: ConfigurationError.self) {
            try giphy.key(credentials: folder.path)
        }
        #expect(wrong?.faults.first?.description.contains("Se") == false)
    }

    @Test func keyFileIsFoundBesideTheConfiguration() throws {
        let file = try ConfigurationFile.parse(
            Array(
                #"{"web":{"upstreams":{"g":{"kind":"giphy","title":"G","keyFile":"k"}}}}"#.utf8),
            at: "/etc/stickerd/config.json")
        #expect(file.configuration.web.upstreams.first?.keyFile == "/etc/stickerd/k")
    }
}
