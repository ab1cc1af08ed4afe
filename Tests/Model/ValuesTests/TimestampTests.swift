import Foundation
import StickerValues
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-125, "1969-12-31T23:59:59.875Z"),
            (-1000, "1969-12-31T23:59:59.000Z"), (1_709_208_000_500, "2024-02-29T12:00:00.500Z"),
            (1_700_000_000_007, "2023-11-14T22:13:20.007Z"),
            (1_795_000_000_999, "2026-11-18T11:06:40.999Z"),
        ] as [(Int64, String)])
    func textIsISO8601WithMilliseconds(milliseconds: Int64, text: String) throws {
        let moment = Timestamp(milliseconds: milliseconds)
        let data = try JSONEncoder().encode(["at": moment])
        #expect(String(decoding: data, as: UTF8.self) == #"{"at":"\#(text)"}"#)
        #expect(try JSONDecoder().decode([String: Timestamp].self, from: data) == ["at": moment])
    }

    @Test func numberOfAnOlderReleaseIsRead() throws {
        let moments = try JSONDecoder().decode([Timestamp].self, from: Data("[1700000000007]".utf8))
        #expect(moments == [1_700_000_000_007])
    }

    @Test(arguments: ["2023-11-14T22:13:20Z", "2023-11-14T22:13:20.000Z"])
    func fractionsMayBeLeftOut(text: String) {
        #expect(Timestamp(text) == 1_700_000_000_000)
    }

    @Test(arguments: [
        "", "yesterday", "2023-11-14", "1700000000007", "true",
        "2026-02-30T00:00:00Z", "2023-11-14T22:13:20Zjunk", "2023-11-14T22:13:20+01:00",
    ])
    func anythingElseIsNoTime(text: String) {
        #expect(Timestamp(text) == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Timestamp].self, from: Data(#"["\#(text)"]"#.utf8))
        }
    }
}
