import StickerConfiguration
import StickerValues
import Testing

@testable import StickerServices

/// How a sticker provider is asked, and what is made of its answers.
struct ProviderServiceTests {
    private let service = ProviderService(.partner())

    private func read(_ answer: String, from offset: Int = 0) throws -> UpstreamPage {
        try service.page(
            in: Array(answer.utf8), to: UpstreamQuestion("", upTo: .general), from: offset,
            key: "SecretKey123")
    }

    @Test func itIsAskedAsTheSampleAsks() {
        func address(_ text: String, _ offset: Int = 0, key: String? = "K") -> String {
            service.address(of: service.question(text, upTo: .general), from: offset, key: key)
        }
        let base = "http://127.0.0.1:1/api/stickers"
        #expect(address("") == "\(base)/trending?api_key=K")
        #expect(address("", key: nil) == "\(base)/trending")
        #expect(
            address("two words & a+b") == "\(base)/search?api_key=K&q=two%20words%20%26%20a%2Bb")
        #expect(address("x", 200, key: nil) == "\(base)/search?q=x&offset=200")
    }

    @Test func sampleOfAnAnswerIsRead() throws {
        let page = try read(
            """
            { "images": [ { "id": "cats_0001", "url": "https://cdn.example.org/cats_0001.png",
                "thumbnail": "https://a.b.img.example.org/t/cats_0001.png", "tint": null } ] }
            """)
        #expect(page.next == nil && page.leftOut.isEmpty)
        let sticker = try #require(page.stickers.first)
        #expect(sticker.identifier == "cats_0001" && sticker.title.isEmpty && !sticker.animated)
        #expect(sticker.thumbnail == "https://a.b.img.example.org/t/cats_0001.png")
    }

    @Test func furtherMembersAreTakenOver() throws {
        let more =
            #","title":"Wave","animated":true,"keywords":["a",7],"rating":"g","#
            + #""accessibilityText":"A hand","attribution":{"text":"By Ada","url":"https://a.example/x"}"#
        let sticker = try #require(
            try read(ProviderAnswer.page([ProviderAnswer.sticker("a", more)])).stickers.first)
        #expect(sticker.title == "Wave" && sticker.animated && sticker.keywords == ["a"])
        #expect(sticker.text == "A hand" && sticker.rating == .general)
        #expect(sticker.attribution == "By Ada" && sticker.attributionURL == "https://a.example/x")
        for link in [#""javascript:alert(1)""#, "7", #""https://a/\"><b>""#] {
            let odd = #","attribution":{"text":"By Ada","url":\#(link)}"#
            let page = try read(ProviderAnswer.page([ProviderAnswer.sticker("a", odd)]))
            #expect(page.stickers.first?.attributionURL == "", "\(link)")
        }
    }

    @Test func gifMovesUnlessSomebodySaysOtherwise() throws {
        func moves(_ more: String) throws -> Bool? {
            let gif = ProviderAnswer.sticker("a", more).replacing("/a.png", with: "/a.GIF?x=1")
            return try read(ProviderAnswer.page([gif])).stickers.first?.animated
        }
        #expect(try moves("") == true)
        #expect(try moves(#","animated":false"#) == false)
    }

    @Test(arguments: [
        (
            #"{"id":1,"url":"https://cdn.example.org/a","thumbnail":"https://cdn.example.org/a"}"#,
            LeftOut.shape
        ),
        (#"{"id":"a","url":"https://cdn.example.org/a"}"#, .shape),
        (#"{"id":"a","url":"https://cdn.example.org/a","thumbnail":null}"#, .shape),
        (#"{"id":"a","url":["x"],"thumbnail":"https://cdn.example.org/a"}"#, .shape),
        (#"{"id":"a","url":"cats/a.png","thumbnail":"https://cdn.example.org/a"}"#, .address),
        (
            #"{"id":"a","url":"https://img.example.org/a","thumbnail":"https://cdn.example.org/a"}"#,
            .address
        ),
        (
            #"{"id":"a","url":"https://.img.example.org/a","thumbnail":"https://cdn.example.org/a"}"#,
            .address
        ),
        (
            #"{"id":"a","url":"https://x@y.img.example.org/","thumbnail":"https://cdn.example.org/a"}"#,
            .address
        ),
        (
            #"{"id":"a/../b","url":"https://cdn.example.org/a","thumbnail":"https://cdn.example.org/a"}"#,
            .identifier
        ),
    ]) func badStickerIsLeftOutAndTheOthersStay(_ bad: String, _ reason: LeftOut) throws {
        let page = try read(ProviderAnswer.page([bad, ProviderAnswer.sticker("good")]))
        #expect(page.stickers.map(\.identifier) == ["good"] && page.leftOut == [reason: 1])
    }

    @Test(arguments: [
        "", "{}", "[]", "<p>", #"{"images":null}"#, #"{"images":{}}"#, #"{"error":"no"}"#,
    ]) func otherAnswersAreFaults(_ body: String) {
        let fault = #expect(throws: UpstreamFault.self) { try read(body) }
        #expect(fault?.kind == .unreadable)
    }

    @Test(arguments: [
        ("a.png", "a.jpg", true), ("a", "a", true), ("v1.2/a", "a.webp", true),
        ("A.GIF?x=a.svg", "a.apng", true), ("v1.2", "a.png", true), ("a.svg", "a.png", false),
        ("a.png", "a.html", false), ("a.webp", "a.png", false), ("a.jpg", "a.png", false),
        ("a.png.mp4?a.png", "a.png", false), ("a.png", "a.js?.png", false),
    ]) func addressesAreOfPictures(_ url: String, _ thumbnail: String, _ isRight: Bool) throws {
        let host = "https://cdn.example.org"
        let odd =
            #"{"id":"odd","url":"\#(host)/\#(url)","thumbnail":"\#(host)/\#(thumbnail)"}"#
        let page = try read(ProviderAnswer.page([ProviderAnswer.sticker("a"), odd]))
        #expect(page.stickers.count == (isRight ? 2 : 1))
        #expect(page.leftOut == (isRight ? [:] : [.kind: 1]))
    }

    @Test func answerOfNothingButBadStickersIsAFault() {
        let fault = #expect(throws: UpstreamFault.self) { try read(#"{"images":[{"id":"a"}]}"#) }
        #expect(fault?.kind == .stickers)
    }

    @Test(arguments: [
        ("http://cdn.example.org/a.png", "has to provide https ones"),
        ("https://cdn.example.org/a.mp4", "has to provide PNG or GIF"),
        ("https://elsewhere.example/a.png", "correct its imageHosts"),
    ]) func whatTheOneWhoRunsItHasToMendIsSaid(_ url: String, _ remedy: String) {
        let bad = #"{"id":"a","url":"\#(url)","thumbnail":"https://cdn.example.org/a.png"}"#
        let fault = #expect(throws: UpstreamFault.self) { try read(ProviderAnswer.page([bad])) }
        #expect(fault?.description.hasSuffix(remedy) == true)
    }

    @Test func ratingAboveTheConfiguredOneIsLeftOut() throws {
        let page = try read(
            ProviderAnswer.page([
                ProviderAnswer.sticker("a", #","rating":"pg""#),
                ProviderAnswer.sticker("b", #","rating":"g""#), ProviderAnswer.sticker("c"),
                ProviderAnswer.sticker("d", #","rating":7"#),
            ]))
        #expect(page.stickers.map(\.identifier) == ["b", "c"])
        #expect(page.leftOut == [.rating: 1, .shape: 1])
    }

    @Test func unratedOneIsLeftOutWhereARatingIsWanted() throws {
        var strict = UpstreamConfiguration.partner()
        strict.passesUnrated = false
        let answer = ProviderAnswer.page([
            ProviderAnswer.sticker("a"), ProviderAnswer.sticker("b", #","rating":"g""#),
        ])
        let page = try ProviderService(strict).page(
            in: Array(answer.utf8), to: UpstreamQuestion("", upTo: .general), from: 0, key: nil)
        #expect(page.stickers.map(\.identifier) == ["b"] && page.leftOut == [.unrated: 1])

        // An answer without anything usable is reported with a remedy.
        let none = ProviderAnswer.page([ProviderAnswer.sticker("a")])
        let fault = #expect(throws: UpstreamFault.self) {
            try ProviderService(strict).page(
                in: Array(none.utf8), to: UpstreamQuestion("", upTo: .general), from: 0, key: nil)
        }
        #expect(fault?.description.contains("remove its rating") == true)
    }

    @Test func onlyWhoSaysThatThereIsMoreIsAskedForIt() throws {
        let two = [ProviderAnswer.sticker("a"), ProviderAnswer.sticker("b")]
        #expect(try read(ProviderAnswer.page(two)).next == nil)
        #expect(try read(ProviderAnswer.page(two, #","has_more":true"#), from: 4).next == 6)
        #expect(try read(ProviderAnswer.page(two, #","has_more":"yes""#)).next == nil)
        #expect(try read(ProviderAnswer.page([], #","has_more":true"#)).next == nil)
        #expect(try read(ProviderAnswer.page(two, #","has_more":true"#), from: 4997).next == 4999)
        #expect(try read(ProviderAnswer.page(two, #","has_more":true"#), from: 4998).next == nil)
        let many = (0..<1001).map { ProviderAnswer.sticker("s\($0)") }
        let page = try read(ProviderAnswer.page(many))
        #expect(page.stickers.count == 1000 && page.leftOut == [.surplus: 1] && page.next == 1000)
    }
}
