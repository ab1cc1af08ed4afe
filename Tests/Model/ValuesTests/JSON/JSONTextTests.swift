import Foundation
import Testing

@testable import StickerConfiguration
@testable import StickerValues

/// Changes to a text that leave everything else as it was written.
struct JSONTextTests {
    private func changed(
        _ text: String, _ change: (inout JSONText) -> Void
    ) throws -> String {
        var json = try JSONText(Array(text.utf8))
        change(&json)
        _ = try JSONText(json.bytes)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func valueIsReplacedWhereItStands() throws {
        #expect(
            try changed("{ \"a\" : [1, {\"b\":  2 }],\t\"c\": 3}\n") {
                $0.replace("a[1].b", with: "[]")
            }
                == "{ \"a\" : [1, {\"b\":  [] }],\t\"c\": 3}\n")
    }

    @Test(arguments: [
        ("[]", "[\n    9\n]"), ("[ ]", "[\n    9\n]"), ("[1]", "[1, 9]"),
        ("[1, 2 ]", "[1, 2, 9 ]"), ("[\n  1,\n  2\n]", "[\n  1,\n  2,\n  9\n]"),
        ("[\r\n  1\r\n]", "[\r\n  1,\r\n  9\r\n]"),
        ("[[1], \"]\"]", "[[1], \"]\", 9]"),
    ])
    func itemIsAppendedAsTheOthersAreWritten(text: String, wanted: String) throws {
        #expect(try changed(text) { $0.append("9", to: "") } == wanted)
    }

    @Test(arguments: [
        ("{}", "{\n    \"k\": 9\n}"), ("{\"a\": 1}", "{\"a\": 1, \"k\": 9}"),
        ("{\n\t\"a\": {}\n}", "{\n\t\"a\": {},\n\t\"k\": 9\n}"),
        ("\u{FEFF}{ }", "\u{FEFF}{\n    \"k\": 9\n}"),
    ])
    func memberIsAddedAsTheOthersAreWritten(text: String, wanted: String) throws {
        #expect(try changed(text) { $0.insert("k", "9", into: "") } == wanted)
    }

    @Test(arguments: [
        (0, "[2, 3]"), (1, "[1, 3]"), (2, "[1, 2]"), (3, "[1, 2, 3]"),
    ])
    func itemIsRemovedWithItsComma(index: Int, wanted: String) throws {
        #expect(try changed("[1, 2, 3]") { $0.removeItem(index, of: "") } == wanted)
    }

    @Test func lastItemLeavesAnEmptyList() throws {
        #expect(try changed("{\"a\": [\n  1\n]}") { $0.removeItem(0, of: "a") } == "{\"a\": []}")
    }

    @Test func keysAreFoundWhateverIsInThem() throws {
        let text = #"{"a.b": {"c[0]": [5]}, "a": {"b": 7}, "é\"": 1}"#
        let json = try JSONText(Array(text.utf8))

        #expect(json.items(at: "a.b.c[0]")?.count == 1)
        #expect(json.has("é\"") && !json.has("a.c") && !json.has("a.b.c[0][1]"))
    }

    @Test func whatIsNoJSONIsNotTaken() {
        #expect(throws: JSONSyntaxError.self) { try JSONText(Array("{,}".utf8)) }
    }

    @Test(arguments: [
        ("{}", "{\n    \"k\": [\"a\"]\n}"),
        ("{\"k\": \"é\",\r\n \"z\": 1}", "{\"k\": [\"a\"],\r\n \"z\": 1}"),
        ("{\n\t\"k\": [\n\t\t\"b\"\n\t]\n}", "{\n\t\"k\": [\n\t\t\"a\"\n\t]\n}"),
    ])
    func memberIsSetAsItIsWritten(text: String, wanted: String) throws {
        #expect(try changed(text) { $0.set("k", to: .array([.string("a")])) } == wanted)
    }

    @Test(arguments: ["{\n  \"k\": []\n}", "{\n  \"z\": 1\n}"])
    func longListGetsALineForEachItem(text: String) throws {
        let items = (1...20).map { JSONValue.string("picture \($0).png") }

        let text = try changed(text) { $0.set("k", to: .array(items)) }

        #expect(text.contains("\"k\": [\n    \"picture 1.png\",\n    \"picture 2.png\",\n"))
        #expect(text.hasSuffix("    \"picture 20.png\"\n  ]\n}"))
    }

    @Test(arguments: [
        ("a", "{\n  \"b\": [1, 2],\n  \"c\": \"}\"\n}"),
        ("b", "{\n  \"a\": {},\n  \"c\": \"}\"\n}"),
        ("c", "{\n  \"a\": {},\n  \"b\": [1, 2]\n}"),
        ("d", "{\n  \"a\": {},\n  \"b\": [1, 2],\n  \"c\": \"}\"\n}"),
    ])
    func memberIsRemovedWithItsComma(key: String, wanted: String) throws {
        let text = "{\n  \"a\": {},\n  \"b\": [1, 2],\n  \"c\": \"}\"\n}"
        #expect(try changed(text) { $0.remove(key) } == wanted)
    }

    @Test func lastMemberLeavesAnEmptyObject() throws {
        #expect(try changed("\u{FEFF}{ \"a\": 1 }\n") { $0.remove("a") } == "\u{FEFF}{}\n")
    }
}

/// The list of marks in a configuration.
struct WatermarkListTests {
    private let mark = ##"{ "id": "a", "color": "#000000", "width": 1, "height": 1 }"##

    private func list(_ text: String, _ category: String? = nil) throws -> WatermarkList {
        WatermarkList(try JSONText(Array(text.utf8)), category: category)
    }

    /// The text, read as a configuration.
    private func marks(_ list: WatermarkList, _ category: String? = nil) throws -> [String] {
        let file = try ConfigurationFile.parse(list.text.bytes, at: "/config.json")
        let settings = category.flatMap { file.configuration.categories[$0] }
        return (settings ?? file.configuration.sticker).watermarks.map(\.id)
    }

    @Test(arguments: [
        "{}", #"{"drops": ["drop"]}"#, #"{"sticker": {}}"#, #"{"sticker": {"watermarks": []}}"#,
        "{\n  \"sticker\": {\n    \"trim\": true\n  }\n}\n",
    ])
    func markIsAddedWhateverIsThere(text: String) throws {
        var list = try list(text)

        let isReplaced = list.put("a", mark)
        #expect(!isReplaced)

        #expect(try marks(list) == ["a"])
        #expect(list.identifiers == ["a"])
        let counts = [list.remove("a"), list.remove("a")]
        #expect(counts == [1, 0])
        #expect(try marks(list) == [])
    }

    @Test(arguments: ["{}", #"{"categories": {}}"#, #"{"categories": {"big. cats": {}}}"#])
    func categoryHasItsOwn(text: String) throws {
        var list = try list(text, "big. cats")

        let isReplaced = list.put("a", mark)
        #expect(!isReplaced)

        #expect(try marks(list, "big. cats") == ["a"])
        #expect(try marks(list) == [])
    }

    @Test func markOfTheSameNameIsReplacedAtItsPlace() throws {
        var list = try list(
            """
            {"sticker": {"watermarks": [
              \(mark),
              \(mark.replacingOccurrences(of: "\"a\"", with: "\"b\""))
            ]}}
            """)
        let other = mark.replacingOccurrences(of: "#000000", with: "#FFFFFF")

        let isReplaced = list.put("a", other)
        #expect(isReplaced)

        #expect(try marks(list) == ["a", "b"])
        #expect(String(decoding: list.text.bytes, as: UTF8.self).contains(other))
    }

    @Test func everyMarkOfTheNameIsRemoved() throws {
        var list = try list(#"{"sticker": {"watermarks": [\#(mark), \#(mark)]}}"#)

        let count = list.remove("a")
        #expect(count == 2)
        #expect(list.identifiers == [])
    }
}
