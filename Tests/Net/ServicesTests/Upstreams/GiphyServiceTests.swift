import StickerConfiguration
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerServices

/// How GIPHY is asked, and what is made of its answers.
struct GiphyServiceTests {
    private static let key = "SecretKey123"
    private let service = GiphyService(.giphy())

    private func read(
        _ answer: String, upTo rating: Rating = .general, from offset: Int = 0
    ) throws -> UpstreamPage {
        try service.page(
            in: Array(answer.utf8), to: UpstreamQuestion("cat", upTo: rating), from: offset,
            key: Self.key)
    }

    private func left(_ sticker: String) throws -> [LeftOut: Int] {
        let page = try read(GiphyAnswer.page([GiphyAnswer.sticker("good"), sticker]))
        #expect(page.stickers.map(\.identifier) == ["good"])
        return page.leftOut
    }

    @Test(arguments: [
        ("cat", "cat"), ("two  words", "two%20words"), ("a+b", "a%2Bb"), ("&x=1#", "%26x%3D1%23"),
        ("ü😀", "%C3%BC%F0%9F%98%80"), ("a\u{0}b\r\nc", "a%20b%20c"), ("%00", "%2500"),
    ]) func questionsAreEncoded(_ text: String, _ shown: String) {
        let question = service.question(text, upTo: .restricted)
        #expect(
            service.address(of: question, from: 50, key: "K") == "http://127.0.0.1:1/v1/stickers/"
                + "search?api_key=K&q=\(shown)&lang=en&limit=50&offset=50&rating=g")
    }

    @Test func nothingTypedIsTrending() {
        let question = service.question(" \u{FFFD}\t", upTo: .general)
        #expect(
            service.address(of: question, from: 0, key: "K")
                == "http://127.0.0.1:1/v1/stickers/trending?api_key=K&limit=50&offset=0&rating=g")
    }

    @Test func ratingIsTheLowerOfWhatIsAskedAndWhatIsAllowed() {
        var upstream = UpstreamConfiguration.giphy()
        upstream.rating = .fromThirteen
        let service = GiphyService(upstream)
        #expect(service.question("x", upTo: .restricted).rating == .fromThirteen)
        #expect(service.question("x", upTo: .general).rating == .general)
    }

    @Test func picturesAreChosenAmongThoseThatAreThere() throws {
        let page = try read(GiphyAnswer.page([GiphyAnswer.sticker("a")], total: 1))
        let sticker = try #require(page.stickers.first)
        #expect(sticker.url == "\(GiphyAnswer.host)/a/giphy.gif?cid=1a2b&rid=giphy.gif")
        #expect(sticker.webp == "\(GiphyAnswer.host)/a/giphy.gif.webp")
        #expect(sticker.thumbnail.contains("/200w_s.gif") && sticker.animated)
        #expect(sticker.title == "Sticker a" && sticker.keywords == ["a", "b"])
        #expect(page.next == nil && page.leftOut.isEmpty)

        let odd = GiphyAnswer.images("a").replacing("giphy.gif.webp", with: "giphy.mp4")
        let still = try read(GiphyAnswer.page([GiphyAnswer.sticker("a", images: odd)]))
        #expect(still.stickers.count == 1 && still.stickers.first?.webp == nil)

        let small =
            #"{"fixed_width_small":{"url":"\#(GiphyAnswer.host)/a/100w.gif"},"#
            + #""fixed_height":{"url":"\#(GiphyAnswer.host)/a/200.gif","width":"x"},"#
            + #""fixed_width":{"url":"\#(GiphyAnswer.host)/a/200w.gif","frames":"1"}}"#
        let other = try read(GiphyAnswer.page([GiphyAnswer.sticker("a", images: small)]))
        #expect(other.stickers.first?.url.hasSuffix("/200w.gif") == true)
        #expect(other.stickers.first?.thumbnail.hasSuffix("/100w.gif") == true)
        #expect(other.stickers.first?.animated == false && other.stickers.first?.webp == nil)
    }

    @Test(arguments: [
        ("", LeftOut.shape), ("null", .shape), ("[]", .shape), ("7", .shape), ("{}", .shape),
        (#"{"original":null}"#, .shape), (#"{"original":{"url":null}}"#, .shape),
        (#"{"original":{"url":7,"width":"1"}}"#, .shape),
        (#"{"original":{"url":"http://media.giphy.com/a.gif"}}"#, .insecure),
        (#"{"original":{"url":"https://evil.example/a.gif"}}"#, .address),
        (#"{"original":{"url":"https://media.giphy.com.evil.example/a.gif"}}"#, .address),
        (#"{"original":{"url":"https://me@media.giphy.com/a.gif"}}"#, .address),
        (#"{"original":{"url":"https://media.giphy.com:444/a.gif"}}"#, .address),
        (#"{"original":{"url":"https://media.giphy.com\\@evil.example/a.gif"}}"#, .address),
        (#"{"original":{"url":"https://media.giphy.com/a\nb.gif"}}"#, .address),
        (#"{"original":{"url":"https://media.giphy.com/a b.gif"}}"#, .address),
        (#"{"original":{"url":"https://media.giphy.com/ä.gif"}}"#, .address),
        (#"{"original":{"url":"https://media.giphy.com/'\"><script>"}}"#, .address),
        (#"{"original":{"url":"//media.giphy.com/a.gif"}}"#, .address),
        (#"{"original":{"url":"javascript:alert(1)"}}"#, .address),
        (#"{"original":{"url":"data:image/gif;base64,AAAA"}}"#, .address),
        (#"{"original":{"url":"https://media.giphy.com/a.mp4"}}"#, .kind),
        (#"{"original":{"url":"https://media.giphy.com/a.webp?b.gif"}}"#, .kind),
        (#"{"original":{"url":"https://media.giphy.com/SecretKey123.gif"}}"#, .key),
        (#"{"original":{"url":"https://media.giphy.com/a.gif","width":"0"}}"#, .shape),
        (#"{"original":{"url":"https://media.giphy.com/a.gif","width":"-5"}}"#, .shape),
    ]) func stickerWithoutAPictureIsLeftOut(_ images: String, _ reason: LeftOut) throws {
        let sticker =
            images.isEmpty ? #"{"id":"bad"}"# : GiphyAnswer.sticker("bad", images: images)
        #expect(try left(sticker) == [reason: 1])
    }

    @Test func longAddressIsLeftOut() throws {
        let url = "https://media.giphy.com/" + String(repeating: "a", count: 2000)
        let images = #"{"original":{"url":"\#(url)"}}"#
        #expect(try left(GiphyAnswer.sticker("bad", images: images)) == [.address: 1])
    }

    @Test(arguments: [
        "../x", "a/b", "a b", "", ".", "a..b", ".a", "a.", "ä", "a\\u0000", "<b>", "%2e",
        String(repeating: "a", count: 121),
    ]) func idIsOfPlainCharacters(_ id: String) throws {
        #expect(try left(GiphyAnswer.sticker(id)) == [.identifier: 1])
    }

    @Test func whatIsNoStickerIsLeftOut() throws {
        for entry in ["null", "[]", "7", #""x""#, "{}", #"{"id":7}"#, #"{"id":null}"#] {
            #expect(try left(entry) == [.shape: 1], "\(entry)")
        }
        #expect(try left(GiphyAnswer.sticker("good")) == [.duplicate: 1])
        for rating in ["pg", "R", "nsfw"] {
            #expect(try left(GiphyAnswer.sticker("bad", rating: rating)) == [.rating: 1])
        }
        let page = try read(
            GiphyAnswer.page(["y", "G", ""].map { GiphyAnswer.sticker("a\($0)", rating: $0) }))
        #expect(page.stickers.map(\.rating) == [.general, .general, .general])
    }

    @Test func textsAreCleanedAndNoMarkup() throws {
        let long = String(repeating: "x", count: 5000)
        let sticker = GiphyAnswer.sticker("a").replacing(
            #""title":"Sticker a""#,
            with: #""title":"<script>\u0000\n \u202Eevil\u2066 \#(long)","alt_text":7"#)
        let read = try #require(try read(GiphyAnswer.page([sticker])).stickers.first)
        #expect(read.title.hasPrefix("<script> evil xxx") && read.title.count == 200)
        #expect(read.text == nil)
        let echo = GiphyAnswer.sticker("b").replacing("Sticker b", with: "I saw SecretKey123!")
        #expect(try left(echo) == [.key: 1])
    }

    @Test(arguments: [
        "", "<html><body>Bad gateway</body></html>", "null", "[]", "7", #""x""#, "{", "{}",
        #"{"data":null}"#, #"{"data":{}}"#, #"{"data":"x"}"#, #"{"message":"no"}"#,
        #"{"data":[]}x"#, #"{"data":[],"data":[]}"#, "\u{0}",
    ]) func otherAnswersAreFaults(_ body: String) {
        let fault = #expect(throws: UpstreamFault.self) { try read(body) }
        #expect(fault?.kind == .unreadable)
    }

    @Test func everyCutOfAnAnswerIsAFault() throws {
        let whole = Array(GiphyAnswer.page([GiphyAnswer.sticker("a")]).utf8)
        for count in stride(from: 0, to: whole.count, by: 7) {
            #expect(throws: UpstreamFault.self, "\(count)") {
                try service.page(
                    in: Array(whole.prefix(count)), to: UpstreamQuestion("", upTo: .general),
                    from: 0, key: nil)
            }
        }
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: UpstreamFault.self) { try read(#"{"data":"# + deep) }
        #expect(throws: UpstreamFault.self) {
            try service.page(
                in: [0xFF, 0xFE, 0x7B], to: UpstreamQuestion("", upTo: .general), from: 0, key: nil)
        }
    }

    @Test func whateverIsPassedOnOfDamagedAnswersIsAsItShouldBe() throws {
        let whole = Array(
            GiphyAnswer.page((0..<5).map { GiphyAnswer.sticker("s\($0)") }, total: 9).utf8)
        let address = /https:\/\/(media[0-4]?|i)\.giphy\.com[\/?][!-~]*/
        var generator = SeededGenerator(seed: 7)
        var passed = 0
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = bytes.indices.randomElement(using: &generator) ?? 0
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
            }
            // Whatever is no answer is a fault.
            guard
                let page = try? service.page(
                    in: bytes, to: UpstreamQuestion("", upTo: .general), from: 0, key: Self.key)
            else { continue }
            for sticker in page.stickers {
                passed += 1
                for url in [sticker.url, sticker.thumbnail, sticker.webp ?? sticker.url] {
                    #expect(url.wholeMatch(of: address) != nil, "\(url)")
                }
                #expect(sticker.identifier.wholeMatch(of: /[A-Za-z0-9_.-]+/) != nil)
                #expect(!sticker.texts.contains { $0.contains { $0.isNewline } })
                #expect(sticker.rating == .general)
            }
        }
        #expect(passed > 100)
    }

    @Test func titleThatIsCutWithinAnEmojiCostsNothing() throws {
        for (cut, shown) in [
            (#"Wave \uD83D"#, "Wave \u{FFFD}"), (#"\uDE00\uD83D\uDE00!"#, "\u{FFFD}😀!"),
            (#"\\uD83D\uD83D\n"#, "\\uD83D\u{FFFD}"), (#"\uD83D\uD83D\uDE00"#, "\u{FFFD}😀"),
        ] {
            let sticker = GiphyAnswer.sticker("a").replacing("Sticker a", with: cut)
            let page = try read(GiphyAnswer.page([sticker, GiphyAnswer.sticker("b")]))
            #expect(page.stickers.map(\.title) == [shown, "Sticker b"], "\(cut)")
        }
        var bytes = Array(GiphyAnswer.page([GiphyAnswer.sticker("a")]).utf8)
        let place = try #require(bytes.firstRange(of: Array("Sticker".utf8))).lowerBound
        bytes[place] = 0xFF
        let page = try service.page(
            in: bytes, to: UpstreamQuestion("", upTo: .general), from: 0, key: nil)
        #expect(page.stickers.first?.title == "\u{FFFD}ticker a")
        for (text, wanted) in [
            (#"\"#, #"\"#), (#"\u"#, #"\u"#), (#"\uD8"#, #"\uD8"#), ("", ""),
            (#"a\uD800\uD"#, #"a\uFFFD\uD"#), (#"\uD800\u0041"#, #"\uFFFD\u0041"#),
        ] {
            let mended = SurrogateMending.mended(Array(text.utf8))
            #expect(String(decoding: mended, as: UTF8.self) == wanted)
        }
    }

    @Test func statusInTheAnswerCounts() {
        for (status, kind) in [
            ("429", UpstreamFault.Kind.quota), (#""401""#, .key), ("403", .key), ("500", .status),
            ("414", .question),
        ] {
            let fault = #expect(throws: UpstreamFault.self) {
                try read(#"{"data":[],"meta":{"status":\#(status),"msg":"<b>"}}"#)
            }
            #expect(fault?.kind == kind)
            #expect(fault?.description.contains("<b>") == false)
        }
    }

    @Test func answerOfNothingButBadStickersIsAFault() {
        let images = #"{"original":{"url":"https://cdn.elsewhere.example/a.gif"}}"#
        let fault = #expect(throws: UpstreamFault.self) {
            try read(GiphyAnswer.page([GiphyAnswer.sticker("a", images: images)]))
        }
        #expect(fault?.description.contains("correct its imageHosts") == true)
        #expect(fault?.kind == .stickers)
        #expect(throws: UpstreamFault.self) { try read(#"{"data":[{"id":"\uD800"}]}"#) }
        #expect(throws: Never.self) { try read(GiphyAnswer.page([])) }
        #expect(throws: Never.self) {
            try read(GiphyAnswer.page([GiphyAnswer.sticker("a", rating: "r")]))
        }
    }

    @Test func pagesFollowOneAnother() throws {
        func next(_ count: Int, total: Int?, from offset: Int = 0) throws -> Int? {
            let stickers = (0..<count).map { GiphyAnswer.sticker("s\($0)") }
            return try read(GiphyAnswer.page(stickers, total: total), from: offset).next
        }
        #expect(try next(50, total: 120) == 50)
        #expect(try next(50, total: 120, from: 50) == 100)
        #expect(try next(20, total: 120, from: 100) == nil)
        #expect(try next(10, total: 120) == 10)
        #expect(try next(50, total: nil) == 50)
        #expect(try next(49, total: nil) == nil)
        #expect(try next(0, total: 120) == nil)
        #expect(try next(50, total: 9000, from: 450) == nil)
    }

    @Test func moreThanWereAskedForAreLeftOut() throws {
        let page = try read(
            GiphyAnswer.page((0..<60).map { GiphyAnswer.sticker("s\($0)") }, total: 60))
        #expect(page.stickers.count == 50 && page.leftOut == [.surplus: 10] && page.next == 50)
    }
}
