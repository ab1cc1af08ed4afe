import Testing

@testable import StickerValues

struct JSONParserTests {
    @Test(
        arguments: [
            ("0", .integer(0)), ("-0", .integer(0)), ("1.0", .integer(1)), ("1e3", .integer(1000)),
            ("-12", .integer(-12)), ("0.5", .number(0.5)), ("25E-1", .number(2.5)),
            ("9223372036854775807", .integer(.max)), ("1e20", .number(1e20)),
            ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
            (" \t\r\n[ ] ", .array([])),
            ("\u{FEFF}{ }", .object([:])),
            (#"{"a":[1,"b"]}"#, .object(["a": .array([.integer(1), .string("b")])])),
            (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
            (#""\u00e9 \ud83d\ude00 😀""#, .string("é 😀 😀")), (#""""#, .string("")),
        ] as [(String, JSONValue)])
    func valuesAreRead(text: String, value: JSONValue) throws {
        #expect(try JSONParser.parse(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        ("", 1, 1), ("{", 1, 2), ("[1", 1, 3), ("[1,]", 1, 4), (#"{"a":1,}"#, 1, 8),
        ("{a:1}", 1, 2),
        ("{'a':1}", 1, 2), (#"{"a" 1}"#, 1, 6), ("[1 2]", 1, 4), ("{}x", 1, 3), ("nul", 1, 1),
        ("TRUE", 1, 1), ("NaN", 1, 1), ("+1", 1, 1), (".5", 1, 1), ("01", 1, 1), ("1.", 1, 1),
        ("1e", 1, 1), ("-", 1, 1), ("1e999", 1, 1), ("0x10", 1, 2), ("\"a", 1, 1),
        ("\"a\nb\"", 1, 1),
        (#""\x""#, 1, 3), (#""\u12""#, 1, 3), (#""\u+123""#, 1, 3), ("[1 // one\n]", 1, 4),
        ("{\n  \"é\": 1,\n  \"é\" 2\n}", 3, 3), ("{\n  \"é\": ?\n}", 2, 8),
    ])
    func faultIsFound(text: String, line: Int, column: Int) throws {
        let error = try #require(throws: JSONSyntaxError.self) {
            try JSONParser.parse(Array(text.utf8))
        }

        #expect(error.line == line)
        #expect(error.column == column)
    }

    @Test(arguments: [#""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800x""#])
    func halfASurrogatePairIsAFault(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.utf8)) }
    }

    @Test func bytesThatAreNoTextAreAFault() {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse([0x22, 0xFF, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse([0xFF]) }
    }

    /// The marks of each letter are sorted where texts are compared.
    @Test func marksUponOneLetterAreBounded() throws {
        let tower = { (count: Int) in
            Array("{\"e\(String(repeating: "\u{301}\u{323}", count: count / 2))\": 1}".utf8)
        }

        #expect(throws: Never.self) { try JSONParser.parse(tower(128)) }
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(tower(400_000)) }
    }

    @Test func nestingIsBounded() throws {
        let nested = { (depth: Int) in
            Array(
                (String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }

        #expect(throws: Never.self) { try JSONParser.parse(nested(64)) }
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(nested(100_000)) }
    }

    @Test func everyPrefixIsAFault() throws {
        let text = Array(#"{"a": [1.5e3, "\u00e9\n", true], "b": {"c": null}}"#.utf8)
        #expect(throws: Never.self) { try JSONParser.parse(text) }

        for length in 0..<text.count {
            #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text[..<length])) }
        }
    }

    @Test func repeatedKeyIsAFault() throws {
        let error = try #require(throws: JSONSyntaxError.self) {
            try JSONParser.parse(Array("{\"a\": 1,\n \"a\": 2}".utf8))
        }

        #expect(error.description == "line 2, column 2: the key \"a\" appears a second time")
    }
}
