import Testing

@testable import StickerWeb

/// Results of searches as people type them.
struct SearchTests {
    /// Whether a sticker of this title is found by a query.
    private func finds(_ query: String, in title: String, emojis: [String] = []) throws -> Bool {
        let shelf = try Shelf()
        try shelf.publish(["zoo": [Shelf.Art("s1", title).with { $0.emojis = emojis }]])
        let escaped = query.utf8.map {
            "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        return shelf.get("/api/stickers/search?q=\(escaped.joined())").ids == ["s1"]
    }

    @Test(arguments: [
        ("happy", "Happy cat"), ("HAPPY", "happy"), ("cat hap", "happy cat"), ("ca", "happy cat"),
        ("cafe", "Café"), ("café", "cafe"), ("muller", "Müller"), ("strasse", "Straße"),
        ("lodz", "Łódź"), ("alesund", "Ålesund"), ("smorrebrod", "Smørrebrød"),
        ("ёлка", "елка"), ("елка", "Ёлка"), ("wide", "ｗｉｄｅ"), ("ﬁne", "fine"),
        ("北京", "北京烤鸭"), ("烤鸭", "北京烤鸭"), ("鸭", "北京烤鸭"), ("京烤", "北京烤鸭"),
        ("ねこ", "かわいいねこ"), ("고양", "고양이"), ("양이", "검은고양이가"),
        ("이", "고양이"), ("검은 고야", "검은 고양이"), ("แมว", "น้องแมวน้อย"), ("हिन्दी", "हिन्दी"),
        ("2", "part 2"), ("rock'n", "rock'n'roll"), ("zoo", "anything"),
    ])
    func isFound(query: String, title: String) throws {
        #expect(try finds(query, in: title), "\(query) in \(title)")
    }

    @Test func wordsInASCIIAreThoseOfAnyScript() {
        var chance = SystemRandomNumberGenerator()
        for length in 0..<2000 {
            let text = String(
                decoding: (0..<length % 40).map { _ in UInt8.random(in: 0...127, using: &chance) },
                as: UTF8.self)
            #expect(
                SearchText.asciiTokens(of: text)
                    == SearchText.unicodeTokens(of: text, asQuery: length % 2 == 0),
                "\(text.debugDescription)")
        }
    }

    @Test(arguments: [
        ("dog", "cat"), ("appy", "happy"), ("happ cat", "happy cat"), ("鸭京", "北京烤鸭"),
        ("!!!", "!!!"), ("*", "cat"), ("NEAR(cat)", "cat"), ("-cat x", "cat"),
        ("e", "dog 😀"), ("1f", "dog 😀"), ("e1f600", "dog 😀"),
    ])
    func isNotFound(query: String, title: String) throws {
        #expect(try !finds(query, in: title), "\(query) in \(title)")
    }

    @Test(arguments: [
        ("😀", "😀"), ("❤", "❤️"), ("❤️", "❤"), ("👍🏽", "👍"), ("👍", "👍🏿"), ("🇩🇪", "🇩🇪"),
        ("👨‍👩‍👧", "👨‍👩‍👧"), ("1️⃣", "1️⃣"), ("happy 😀", "😀"),
    ])
    func emojiIsFound(query: String, emoji: String) throws {
        #expect(try finds(query, in: "happy thing", emojis: [emoji]))
    }

    @Test func signsOfTheQueryLanguageAreWordsOrNothing() throws {
        let shelf = try Shelf()
        try shelf.publish(["cats": [Shelf.Art("s1", "cat")]])
        for text in [
            #"""#, #""cat"#, "cat*", "cat OR dog", "%ff", "a:b", "{cat}", "^cat", "'", "%00",
        ] {
            let escaped = text.utf8.map {
                $0 == 0x25 ? "%" : "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
            }
            let target = text.hasPrefix("%") ? text : escaped.joined()
            #expect(shelf.get("/api/stickers/search?q=\(target)").status == 200, "\(text)")
        }
    }

    @Test func manyWordsAreNoMoreWork() throws {
        let shelf = try Shelf()
        try shelf.publish(["cats": [Shelf.Art("s1", "cat")]])
        let long = Array(repeating: "cat", count: 5000).joined(separator: "+")
        #expect(shelf.get("/api/stickers/search?q=\(long)").ids == ["s1"])
    }
}
