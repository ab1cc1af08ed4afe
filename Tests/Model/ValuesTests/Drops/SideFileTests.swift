import Testing

@testable import StickerValues

/// Kinds of files in a drop by their names, and their words.
struct SideFileTests {
    private func file(_ path: String) -> SideFile? {
        let parts = path.split(separator: "/").map(String.init)
        return SideFile(
            SourceKey(
                drop: "/drop", directory: Array(parts.dropLast().joined(separator: "/").utf8),
                name: Array((parts.last ?? "").utf8)))
    }

    private func words(_ file: SideFile, _ text: String) throws -> SideFileWords {
        try file.words(in: Array(text.utf8))
    }

    private func faults(_ file: SideFile, _ text: String) -> [String] {
        do throws(SideFileError) {
            _ = try file.words(in: Array(text.utf8))
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test(
        arguments: [
            ("cats/cat.png.sticker.json", .sticker), ("cats/winter/cat.gif.sticker.json", .sticker),
            ("cat.png.sticker.json", .sticker), ("cats/category.json", .category),
            ("category.json", .category), ("cats/Category.JSON", .category),
            ("cats/title.txt", .title), ("cats/author.txt", .author), ("cats/emoji.txt", .emojis),
            ("cats/winter/category.json", nil), ("cats/winter/title.txt", nil), ("cats/a.txt", nil),
            ("cats/cat.sticker.json", nil), ("cats/.png.sticker.json", nil),
            ("cats/.cat.png.sticker.json", nil), ("cats/sticker.json", nil), ("cats/cat.json", nil),
        ] as [(String, SideFile?)]) func namesTellWhatAFileIs(path: String, kind: SideFile?)
    {
        #expect(file(path) == kind)
    }

    @Test func everythingIsRead() throws {
        let said = try words(
            .category,
            """
            {
              "$schema": "urn:stickerd:schema:category:1",
              "title": "Fluffy  cats", "description": "About cats", "publisher": "Ada",
              "licence": "CC BY 4.0",
              "links": {"website": "https://example.org/a?b#c", "email": "ada@example.org",
                "privacyPolicy": null, "licence": "http://example.org", "appStore": null},
              "packs": {"line": {"title": "Cats", "publisher": "A", "description": "d"}},
              "defaults": {"emojis": ["🐱"], "rating": "pg-13", "tintMode": "colorized",
                "keywords": ["cat", "cat", " small  cat"], "pinned": true},
              "stickers": {"winter/a.png": {"title": "A", "accessibilityText": "a cat",
                "order": 7, "emojis": "😀 🎉😀"}},
              "order": ["b.png", "winter/a.png"]
            }
            """)

        #expect(said.category.title == "Fluffy cats")
        #expect(said.category.links?.email == "ada@example.org")
        #expect(said.category.links?.privacyPolicy == nil)
        #expect(said.category.packs?[.line]?.title == "Cats")
        #expect(said.defaults.keywords == ["cat", "small cat"])
        #expect(said.defaults.rating == .fromThirteen && said.defaults.pinned == true)
        let sticker = try #require(said.stickers["winter/a.png"])
        #expect(sticker.emojis == ["😀", "🎉"] && sticker.order == 7 && sticker.place == 1)
        #expect(said.stickers["b.png"]?.place == 0)
    }

    @Test func filesOfOtherToolsAreRead() throws {
        #expect(try words(.title, "\u{FEFF}Happy cats\n").category.title == "Happy cats")
        #expect(try words(.author, "Ada").category.publisher == "Ada")
        let emojis = try words(.emojis, #"{"01": "😀", "wave": "👋🏽🇩🇪", "none": []}"#)
        #expect(emojis.stickers["wave"]?.emojis == ["👋🏽", "🇩🇪"])
        #expect(emojis.stickers["none"]?.emojis == [])
        #expect(emojis.stickers["01"]?.title == nil)
    }

    /// As Notepad writes it.
    @Test(arguments: [true, false]) func utf16IsRead(isBig: Bool) throws {
        func bytes(_ text: String) -> [UInt8] {
            ("\u{FEFF}" + text).utf16.flatMap { unit in
                let halves = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
                return isBig ? halves : halves.reversed()
            }
        }

        let title = try SideFile.title.words(in: bytes("Katzen ü 😀\r\n"))
        let sticker = try SideFile.sticker.words(in: bytes("{\r\n\"title\": \"猫\"}"))

        #expect(title.category.title == "Katzen ü 😀")
        #expect(sticker.stickers[""]?.title == "猫")
        #expect(throws: SideFileError.self) { try SideFile.title.words(in: bytes("a") + [0]) }
    }

    /// Nobody puts a sign of a text among emoji.
    @Test(arguments: [
        ("❤", "❤\u{FE0F}"), ("❤\u{FE0F}", "❤\u{FE0F}"), ("©", "©\u{FE0F}"), ("☝🏽", "☝🏽"),
        ("🕵🏽\u{200D}♀", "🕵🏽\u{200D}♀\u{FE0F}"),
        (
            "👩\u{200D}❤\u{200D}👨",
            "👩\u{200D}❤\u{FE0F}\u{200D}👨"
        ),
        ("#\u{20E3}", "#\u{FE0F}\u{20E3}"),
    ])
    func emojiWithoutSelectorIsAnEmoji(written: String, read: String) throws {
        let listed = try words(.sticker, "{\"emojis\": [\"\(written)\"]}").stickers[""]?.emojis
        let joined = try words(.sticker, "{\"emojis\": \"😀\(written)\"}").stickers[""]?.emojis

        #expect(listed?.map { Array($0.unicodeScalars) } == [Array(read.unicodeScalars)])
        #expect(joined?.map { Array($0.unicodeScalars) } == [["😀"], Array(read.unicodeScalars)])
    }

    @Test(arguments: [
        (#"{"titel": "A"}"#, #"line 1: titel: unknown key; did you mean "title"?"#),
        (
            "{\n\"emojis\": [\"😀\",\n\"ab\"]}",
            #"line 3: emojis[1]: is "ab", allowed is one emoji"#
        ),
        (
            "{\n\n\"rating\": \"x\"}",
            #"line 3: rating: is "x", allowed is one of "g", "pg", "pg-13", "r""#
        ),
        (
            "{\"title\": \"A\",\n}",
            #"line 2, column 1: a key in double quotes is needed before "}""#
        ),
        (
            "{\"title\": \"A\",\n\"title\": \"B\"}",
            #"line 2, column 1: the key "title" appears a second time"#
        ),
        ("[]", "line 1: is [], an object is needed"),
        (
            #"{"order": 1000000}"#,
            "line 1: order: is 1000000, allowed is a whole number from 0 to 999999"
        ),
    ]) func faultsTellLineAndField(text: String, fault: String) {
        #expect(faults(.sticker, text) == [fault])
    }

    @Test func faultsInTheMiddleTellTheirLine() {
        let text = """
            {
              "stickers": {
                "a.png": {"title": "A"},
                "b.png": {
                  "pinned": 1
                }
              },
              "links": {
                "website": "ftp://example.org"
              },
              "packs": {"nowhere": {}}
            }
            """
        let found = faults(.category, text)
        #expect(found.count == 3)
        #expect(found.first == "line 5: stickers.b.png.pinned: is 1, allowed is true or false")
        #expect(found.dropFirst().first?.hasPrefix("line 9: links.website: ") == true)
        #expect(
            found.last?.hasPrefix("line 11: packs.nowhere: the key is not one of whats") == true)
    }

    @Test func refusalHasTheFiguresOfOneFault() throws {
        let error = #expect(throws: SideFileError.self) {
            try words(.sticker, "{\"rating\": \"x\"}")
        }
        let refusal = try #require(error?.refusal)
        #expect(refusal.reason == .invalidWords)
        #expect(refusal.detail == "line 1: rating has a wrong value")
        #expect(refusal.measured == "\"x\"")
        #expect(refusal.limit == #"one of "g", "pg", "pg-13", "r""#)
    }

    @Test func refusalNamesSeveralFaultsAndCountsTheRest() throws {
        let texts = (1...7).map { "\"\($0)\": \"x\($0)\"" }.joined(separator: ",\n")
        let error = #expect(throws: SideFileError.self) { try words(.emojis, "{\(texts)}") }
        let refusal = try #require(error?.refusal)
        #expect(
            refusal.detail.hasPrefix(
                #"line 1: 1: is "x1", allowed is a list of up to 20 emoji; line 2: 2: is "x2""#))
        #expect(refusal.detail.hasSuffix("; and 2 more faults"))
        #expect(refusal.measured == nil)
    }

    // MARK: Faults beside sound values

    private func reading(
        _ file: SideFile, _ text: String, after former: String? = nil
    ) throws -> SideFileWords {
        let (words, faults) = try file.reading(of: Array(text.utf8))
        let before = try former.map { try self.words(file, $0) } ?? SideFileWords()
        return words.filled(try #require(faults).gaps, from: before)
    }

    private static let whole = #"""
        {"title": "C", "description": "D", "publisher": "P",
         "links": {"website": "https://a.org", "email": "a@a.org"},
         "packs": {"line": {"title": "L", "publisher": "Q"}, "slack": {"title": "S"}},
         "defaults": {"rating": "pg", "keywords": ["k"]},
         "stickers": {"a.png": {"title": "A", "emojis": "😀"}, "b.png": {"title": "B"}},
         "order": ["b.png", "c.png"]}
        """#

    /// Each text has one fault, and says otherwise what `whole` says in `title` alone.
    @Test(arguments: [
        #""description": 5"#, #""links": {"website": "x", "email": "a@a.org"}"#, #""links": 5"#,
        #""packs": {"line": {"title": 5, "publisher": "Q"}, "slack": {"title": "S"}}"#,
        #""packs": {"lime": {}, "slack": {"title": "S"}}"#,
        #""packs": {"line": 5, "slack": {"title": "S"}}"#,
        #""defaults": {"rating": "x", "keywords": ["k"]}"#, #""defaults": []"#,
        #""stickers": {"a.png": {"emojis": "ab", "title": "A"}, "b.png": {"title": "B"}}"#,
        #""stickers": {"a.png": {"emoji": "😀", "title": "A"}, "b.png": {"title": "B"}}"#,
        #""stickers": {"a.png": 5, "b.png": {"title": "B"}}"#, #""stickers": 5"#,
        #""stickers": {"/a.png": {}, "b.png": {"title": "B"}}"#, #""order": ["/b.png", 5]"#,
        #""sticker": {}"#,
    ]) func faultyValueKeepsWhatItWas(fault: String) throws {
        let key = try #require(fault.split(separator: "\"").first)
        let sound = [
            "description": #""description": "D""#, "order": #""order": ["b.png", "c.png"]"#,
            "links": #""links": {"website": "https://a.org", "email": "a@a.org"}"#,
            "packs":
                #""packs": {"line": {"title": "L", "publisher": "Q"}, "slack": {"title": "S"}}"#,
            "defaults": #""defaults": {"rating": "pg", "keywords": ["k"]}"#,
            "stickers":
                #""stickers": {"a.png": {"title": "A", "emojis": "😀"}, "b.png": {"title": "B"}}"#,
        ]
        let rest = sound.filter { $0.key != key && key != "sticker" }.values
        let text = ([fault, #""title": "New", "publisher": "P""#] + rest).joined(separator: ",")
        var expected = try words(.category, Self.whole)
        expected.category.title = "New"
        let read = try reading(.category, "{\(text)}", after: Self.whole)
        #expect(read.category == expected.category && read.defaults == expected.defaults)
        #expect(read.stickers.filter { !$0.value.isEmpty } == expected.stickers)
    }

    @Test func soundValuesCountBesideFaults() throws {
        let read = try reading(
            .emojis, #"{"a": "😀", "b": "x", "c": []}"#, after: #"{"b": "🎉", "d": "🎉"}"#)
        #expect(read.stickers.mapValues(\.emojis) == ["a": ["😀"], "b": ["🎉"], "c": []])
        let own = try reading(
            .sticker, #"{"title": "A", "order": "x", "pinned": 1}"#,
            after: #"{"order": 5, "rating": "r"}"#)
        #expect(own.stickers[""]?.title == "A" && own.stickers[""]?.order == 5)
        #expect(own.stickers[""]?.pinned == nil && own.stickers[""]?.rating == nil)
    }

    @Test func faultyElementCostsItselfAlone() throws {
        let own = #"""
            {"emojis": ["😀", "ab", "🎉"],
             "keywords": ["a",
               5, "b", ""]}
            """#
        let read = try reading(.sticker, own, after: #"{"emojis": "🐱", "keywords": ["z"]}"#)
        #expect(read.stickers[""]?.emojis == ["😀", "🎉"])
        #expect(read.stickers[""]?.keywords == ["a", "b"])
        #expect(
            faults(.sticker, own) == [
                #"line 1: emojis[1]: is "ab", allowed is one emoji"#,
                "line 3: keywords[1]: is 5, allowed is a text of 1 to 64 visible characters",
                #"line 3: keywords[3]: is "", allowed is a text of 1 to 64 visible characters"#,
            ])

        let listed = try reading(
            .category, #"{"order": ["b.png", "../x", "b.png", "a.png"]}"#, after: Self.whole)
        let places = listed.stickers.compactMapValues(\.place)
        #expect(places == ["b.png": 0, "a.png": 1])

        #expect(try reading(.emojis, #"{"b": "🐱 cat"}"#).stickers["b"]?.emojis == ["🐱"])
        #expect(faults(.emojis, #"{"b": "🐱 cat"}"#) == [#"line 1: b: "cat" is not an emoji"#])
    }

    /// A list without any sound element keeps what it was; one that is too long is cut.
    @Test func faultyListKeepsWhatItWas() throws {
        let lost = try reading(
            .sticker, #"{"emojis": ["x", 5], "keywords": [""]}"#,
            after: #"{"emojis": "🐱", "keywords": ["z"]}"#)
        #expect(lost.stickers[""]?.emojis == ["🐱"] && lost.stickers[""]?.keywords == ["z"])
        let many = String(repeating: "😀", count: 20) + "🎉"
        let list = "[\(many.map { "\"\($0)\"" }.joined(separator: ", "))]"
        for value in [list, "\"\(many)\""] {
            let read = try reading(.sticker, "{\"emojis\": \(value)}")
            #expect(read.stickers[""]?.emojis == ["😀"])
        }
    }

    @Test(arguments: [
        (#"{"emojis": ["😀", "x"]}"#, "everything else in it counts already"),
        (
            #"{"rating": "x"}"#,
            "everything else in it counts already, and these values stay as they were"
        ),
        ("{", "until then its former content counts, if any"),
    ])
    func refusalTellsWhatCounts(text: String, remedy: String) throws {
        let error = #expect(throws: SideFileError.self) { try words(.sticker, text) }
        #expect(error?.refusal.remedy == "correct it and save it; \(remedy)")
    }

    @Test(arguments: ["", "[]", "{", "\"x\"", "{\"title\": \"A\",}", "{\"a\": 1, \"a\": 1}"])
    func fileThatIsNoObjectSaysNothing(text: String) {
        for file in [SideFile.category, .sticker, .emojis] {
            let error = #expect(throws: SideFileError.self) {
                try file.reading(of: Array(text.utf8))
            }
            #expect(error?.gaps == [])
        }
    }

    /// A file about one picture needs less than a file about thousands.
    @Test func filesHaveTheirOwnLimits() {
        let limits = [SideFile.sticker, .title, .author, .category, .emojis].map(\.bytesMax)

        #expect(limits == [65_536, 65_536, 65_536, 1_048_576, 1_048_576])
    }

    /// Faults beyond those listed cost no sound value, and nothing faulty slips through.
    @Test func manyFaultsCostThemselvesAlone() throws {
        let faulty = (0..<20_000).map { "\"f\($0)\": {\"order\": -1, \"title\": \"T\"}" }
        let text = "{\"stickers\": {" + faulty.joined(separator: ",") + "}}"
        let (words, faults) = try SideFile.category.reading(of: Array(text.utf8))
        #expect(faults?.count == 20_000 && faults?.faults.count == 20)
        #expect(words.stickers.count == 20_000)
        #expect(words.stickers.values.allSatisfy { $0.title == "T" && $0.order == nil })
        let former = text.replacing("-1", with: "7")
        let filled = try reading(.category, text, after: former)
        #expect(filled.stickers.values.allSatisfy { $0.title == "T" && $0.order == 7 })
    }

    /// Values at their limits, and just beyond.
    @Test(arguments: [
        (#"{"title": ""}"#, false), (#"{"title": "\u200b"}"#, false),
        (#"{"title": "\u200e"}"#, false), (#"{"emojis": "👩🏽‍❤️‍💋‍👨🏿"}"#, true), (#"{"title": null}"#, true),
        (#"{"emojis": []}"#, true), (#"{"emojis": ["😀😀"]}"#, false), (#"{"emojis": 5}"#, false),
        (#"{"links": {"email": "a@b@c"}}"#, false), (#"{"links": {"email": "a b@c"}}"#, false),
        (#"{"links": {"website": "https://"}}"#, false),
        (#"{"links": {"website": "javascript:alert(1)"}}"#, false),
        (#"{"links": {"website": "https://exa mple.org"}}"#, false),
        (#"{"keywords": [1]}"#, false), (#"{"order": 0}"#, true), (#"{"order": 1.5}"#, false),
        (#"{"tintMode": "None"}"#, false),
    ]) func limitsHold(text: String, isRight: Bool) {
        #expect(faults(.sticker, text).isEmpty == isRight)
    }

    @Test func textsHaveALongestLength() {
        for (count, isRight) in [(128, true), (129, false)] {
            let text = String(repeating: "ä", count: count)
            #expect(faults(.title, text).isEmpty == isRight)
            #expect(faults(.sticker, "{\"title\": \"\(text)\"}").isEmpty == isRight)
        }
        // One character that never ends.
        let tower = "a" + String(repeating: "\u{301}", count: 5000)
        #expect(!faults(.title, tower).isEmpty)
        #expect(faults(.title, "   \n") == ["is 0 characters, allowed is 1 to 128 visible ones"])
    }

    /// Files that would cost room or time without bounds.
    @Test func hostileFilesCostLittle() throws {
        let long = String(repeating: "k", count: 400_000)
        let many = Array(repeating: "0", count: 200_000).joined(separator: ",")
        let deep = faults(.category, "{\"\(long)\":[\(many)]}")
        #expect(deep.count == 1 && deep[0].utf8.count < 1000)
        let inside = (0..<60_000).map { "\"\($0)\":0" }.joined(separator: ",")
        let wide = faults(.category, "{\"stickers\":{\"\(long)é\":{\(inside)}}}")
        #expect(wide.count == 20)
        let keys = (0..<100_000).map { "\"\($0)\":0" }.joined(separator: ",")
        #expect(faults(.sticker, "{\(keys)}").count == 20)
        let names = (0..<100_000).map { "\"\($0)\":[]" }.joined(separator: ",")
        #expect(try words(.emojis, "{\(names)}").stickers.count == 100_000)
        let family = "😀" + String(repeating: "\u{200D}😀", count: 1000)
        #expect(!faults(.sticker, "{\"emojis\": [\"\(family)\"]}").isEmpty)
        #expect(!faults(.sticker, "{\"emojis\": \"\(family)\"}").isEmpty)
        let text = #expect(throws: SideFileError.self) { try words(.title, long) }
        let value = #expect(throws: SideFileError.self) {
            try words(.sticker, "{\"title\": \"\(long)\"}")
        }
        for error in [text, value] {
            let refusal = try #require(error?.refusal)
            #expect((refusal.detail + (refusal.measured ?? "")).utf8.count < 1000)
        }
    }

    @Test func faultOfAKeyThatIsEscapedHasItsLine() {
        let found = faults(.emojis, "{\"a\": \"😀\",\n\"b\\u001b.c\": \"x\"}")
        #expect(found == [#"line 2: b\u{1b}.c: is "x", allowed is a list of up to 20 emoji"#])
    }

    /// The listed faults are the first of the file, whatever their keys are called.
    @Test func faultsAreToldInTheOrderOfLines() throws {
        let keys = (0..<30).reversed().map { "\"k\($0 + 10)\": 1" }
        let text = """
            {"stickers": {"z.png": {"rating": 1,
                "zeal": 1, "title": 1,
                "keywords": ["a", 1,
                2]}, "a.png": 1},
            \(keys.joined(separator: ",\n")),
            "title": 1, "defaults": 1}
            """
        let read = try SideFile.category.reading(of: Array(text.utf8))
        let faults = try #require(read.faults)
        #expect(faults.count == 38 && faults.faults.count == 20)
        let told = faults.faults.map { "\($0.line ?? 0) \($0.fault.path)" }
        #expect(
            told.prefix(7) == [
                "1 stickers.z.png.rating", "2 stickers.z.png.zeal", "2 stickers.z.png.title",
                "3 stickers.z.png.keywords[1]", "4 stickers.z.png.keywords[2]",
                "4 stickers.a.png", "5 k39",
            ])
        #expect(told.dropFirst(7) == (0..<13).map { "\($0 + 6) k\(38 - $0)" }[...])
    }

    /// Also those of a list that is too long anyway.
    @Test func everyFaultIsCounted() throws {
        let keywords = Array(repeating: "1", count: 3_000).joined(separator: ", ")
        let text = "{\"emojis\": [1, 2], \"keywords\": [\(keywords)], \"wrong\": 1}"
        let faults = try SideFile.sticker.reading(of: Array(text.utf8)).faults
        #expect(faults?.count == 3_004 && faults?.faults.count == 20)
        #expect(faults?.refusal.detail.hasSuffix("; and 2,999 more faults") == true)
    }

    @Test func longKeysAreCutInFaults() throws {
        let key = String(repeating: "é", count: 200_000)
        let wrong = (0..<100).map { "\"k\($0)\": 1" }.joined(separator: ",")
        let text = "{\"stickers\": {\"\(key)\": {\(wrong)}}}"
        let faults = try SideFile.category.reading(of: Array(text.utf8)).faults
        let path = "stickers.\(key.prefix(100))….k0"
        #expect(faults?.count == 100 && faults?.faults.first?.fault.path == path)
    }

    /// A member that nobody knows says nothing of the defaults, of which the artist removed the keywords.
    @Test func objectWithAFaultyValueIsNotFilledFurther() throws {
        let said = try reading(
            .category, #"{"title": "C", "defaults": {"rating": "x"}, "unknown": 1}"#,
            after: Self.whole)
        #expect(said.defaults.rating?.rawValue == "pg" && said.defaults.keywords == nil)
    }

    /// A file cannot name ever more other stickers.
    @Test func gapsAreFilledWithNoMoreThanAFileCanSay() {
        var (own, former) = (SideFileWords(), SideFileWords())
        own.stickers["own"] = StickerWords(titled: "own")
        for number in 0..<200_000 {
            former.stickers["\(number)"] = StickerWords(titled: "former")
        }
        let filled = own.filled([["stickers"]], from: former)
        #expect(filled.stickers.count == 1 << 17 && filled.stickers["own"]?.title == "own")
    }

    @Test(arguments: ["../a.png", "/a.png", "a//b.png", "", "./a.png"])
    func pathsStayInTheFolder(path: String) {
        #expect(!faults(.category, "{\"stickers\": {\"\(path)\": {}}}").isEmpty)
        #expect(!faults(.category, "{\"order\": [\"\(path)\"]}").isEmpty)
    }

    @Test func laterWordsFillGapsOnly() {
        var (first, second) = (StickerWords(), StickerWords())
        (first.title, first.place) = ("A", 3)
        (second.title, second.order, second.rating) = ("B", 7, .restricted)
        let filled = first.filled(from: second)
        #expect(filled.title == "A" && filled.rating == .restricted)
        #expect(filled.place == 3 && filled.order == nil)
    }
}

extension StickerWords {
    fileprivate init(titled title: String) {
        self.init()
        self.title = title
    }
}
