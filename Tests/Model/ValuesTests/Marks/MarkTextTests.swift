import Foundation
import StickerValues
import Testing

/// Rules for texts of marks.
struct MarkTextTests {
    private func paths(_ change: (inout MarkText) -> Void) -> [String] {
        var text = MarkText("@studio 🎉")
        change(&text)
        return text.faults.map(\.path)
    }

    @Test func ordinaryTextIsSound() {
        #expect(paths { _ in } == [])
        #expect(paths { $0.text = "two\nlines" } == [])
        #expect(paths { $0.text = String(repeating: "👩‍👩‍👧", count: 160) } == [])
    }

    @Test(arguments: [
        "", " \n ", String(repeating: "a", count: 201), "a\tb", "a\rb", "a\r\nb", "a\u{7}b",
        "a\u{2028}b", "a\u{2029}b", "a\u{0}b", String(repeating: "a\n", count: 8),
        "Z" + String(repeating: "\u{301}", count: 2000),
    ])
    func textHasAFewLinesOfCharacters(text: String) {
        #expect(paths { $0.text = text } == ["text"], "\(text.debugDescription)")
    }

    @Test func numbersAreWithinTheirLimits() {
        for size in [3.9, 512.5, -1, .nan, .infinity] {
            #expect(paths { $0.size = size } == ["size"])
        }
        for stroke in [-0.1, 33, .nan] {
            #expect(paths { $0.strokePixels = stroke } == ["strokePixels"])
        }
        #expect(paths { ($0.size, $0.strokePixels) = (512, 32) } == [])
    }

    @Test func everyFaultIsTold() {
        #expect(
            paths {
                $0 = MarkText("")
                ($0.font, $0.size, $0.color, $0.strokePixels) = (" ", 0, .zero, -1)
            } == ["text", "font", "size", "color", "strokePixels"])
    }

    @Test func faultNamesTheValueAndWhatIsAllowed() {
        var text = MarkText("a")
        text.size = 600

        #expect(text.faults.map(\.message) == ["is 600; 4 to 512 is allowed"])
    }

    @Test func codingKeepsEverything() throws {
        var text = MarkText("a\n🎉")
        (text.font, text.size, text.color) = ("Inter Black Italic", 20.5, SIMD4(1, 2, 3, 4))
        (text.strokePixels, text.strokeColor) = (2.5, SIMD3(5, 6, 7))

        let json = try JSONEncoder().encode(text)

        #expect(try JSONDecoder().decode(MarkText.self, from: json) == text)
    }
}
