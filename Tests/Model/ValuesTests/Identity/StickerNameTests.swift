import StickerValues
import Testing

struct StickerNameTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var file: String
        var order: Int?
        var title: String
        var emojis: [String] = []
        var testDescription: String { file.debugDescription }
    }

    @Test(arguments: [
        Case(file: "07 happy cat 😀🎉.png", order: 7, title: "happy cat", emojis: ["😀", "🎉"]),
        Case(file: "happy cat.png", title: "happy cat"),
        Case(file: "7_cat.png", order: 7, title: "cat"),
        Case(file: "07-cat.png", order: 7, title: "cat"),
        Case(file: "07 - cat.png", order: 7, title: "cat"),
        Case(file: "07. cat.png", order: 7, title: "cat"),
        Case(file: "01_2nd cat.png", order: 1, title: "2nd cat"),
        Case(file: "07 3 cats.png", order: 7, title: "3 cats"),
        Case(file: "000000 zero.png", order: 0, title: "zero"),
        Case(file: "999999 last.png", order: 999_999, title: "last"),
        Case(file: "happy_cat.tar.png", title: "happy_cat.tar"),
        Case(file: "  spaced   out \t.png", title: "spaced out"),
    ])
    func nameIsRead(expected: Case) {
        expectName(expected)
    }

    @Test(arguments: [
        Case(file: "07.png", order: 7, title: "07"),
        Case(file: "07 .png", order: 7, title: "07"),
        Case(file: "07😀.png", order: 7, title: "07😀", emojis: ["😀"]),
        Case(file: "07 😀.png", order: 7, title: "07 😀", emojis: ["😀"]),
        Case(file: "🙂.png", title: "🙂", emojis: ["🙂"]),
        Case(file: "1234567.png", title: "1234567"),
    ])
    func nameWithoutWordsIsItsOwnTitle(expected: Case) {
        expectName(expected)
    }

    @Test(arguments: [
        Case(file: "2024-01-01 party.png", title: "2024-01-01 party"),
        Case(file: "2024_01_01_party.png", title: "2024_01_01_party"),
        Case(file: "2024 01 01 party.png", title: "2024 01 01 party"),
        Case(file: "12.30 lunch.png", title: "12.30 lunch"),
        Case(file: "1.5x zoom.png", title: "1.5x zoom"),
        Case(file: "3-2-1 go.png", title: "3-2-1 go"),
        Case(file: "1234567 seven digits.png", title: "1234567 seven digits"),
        Case(file: "3D glasses.png", title: "3D glasses"),
        Case(file: "100%25.png", title: "100%25"),
        Case(file: "٣ three.png", title: "٣ three"),
        Case(file: "-7 cold.png", title: "-7 cold"),
    ])
    func otherDigitsBelongToTheTitle(expected: Case) {
        expectName(expected)
    }

    @Test(arguments: [
        Case(file: "twice 😀 and 😀.png", title: "twice and", emojis: ["😀"]),
        Case(file: "family 👨‍👩‍👧‍👦.png", title: "family", emojis: ["👨‍👩‍👧‍👦"]),
        Case(file: "up ☝🏽.png", title: "up", emojis: ["☝🏽"]),
        Case(file: "tones 👍👍🏿.png", title: "tones", emojis: ["👍", "👍🏿"]),
        Case(file: "love ❤️‍🔥❤️.png", title: "love", emojis: ["❤️‍🔥", "❤️"]),
        Case(file: "flags 🇩🇪🏴󠁧󠁢󠁥󠁮󠁧󠁿🏳️‍🌈🏴‍☠️.png", title: "flags", emojis: ["🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏳️‍🌈", "🏴‍☠️"]),
        Case(file: "7️⃣ dwarfs #️⃣.png", title: "dwarfs", emojis: ["7️⃣", "#️⃣"]),
        Case(file: "brand™️ ©️.png", title: "brand", emojis: ["™️", "©️"]),
        Case(file: "be😀tween.png", title: "be tween", emojis: ["😀"]),
        // As many keyboards write them.
        Case(file: "heart ❤.png", title: "heart", emojis: ["❤\u{FE0F}"]),
        Case(file: "3❤.png", order: 3, title: "3❤", emojis: ["❤\u{FE0F}"]),
        Case(file: "spy 🕵\u{200D}♂.png", title: "spy", emojis: ["🕵\u{FE0F}\u{200D}♂\u{FE0F}"]),
        Case(file: "pride 🏳\u{200D}🌈.png", title: "pride", emojis: ["🏳\u{FE0F}\u{200D}🌈"]),
        Case(file: "key 7\u{20E3}.png", title: "key", emojis: ["7\u{FE0F}\u{20E3}"]),
    ])
    func emojiLeaveTheTitle(expected: Case) {
        expectName(expected)
    }

    @Test(arguments: [
        // Asked for as text, or signs of ordinary texts.
        Case(file: "heart ❤\u{FE0E}.png", title: "heart ❤\u{FE0E}"),
        Case(file: "brand™ © ®.png", title: "brand™ © ®"),
        Case(file: "a ↔ b ▶ ‼.png", title: "a ↔ b ▶ ‼"),
        Case(file: "watch ⌚\u{FE0E}.png", title: "watch ⌚\u{FE0E}"),
        Case(file: "digit 7\u{FE0F}.png", title: "digit 7\u{FE0F}"),
        Case(file: "tone 7🏽.png", title: "tone 7🏽"),
        Case(file: "half a flag 🇩.png", title: "half a flag 🇩"),
        Case(file: "piled 😀\u{301}\u{301}.png", title: "piled 😀\u{301}\u{301}"),
        Case(file: "hidden 😀\u{E0068}\u{E0069}\u{E007F}.png", title: "hidden 😀"),
        Case(file: "loose 😀\u{200D}.png", title: "loose 😀\u{200D}"),
    ])
    func whatIsNoEmojiStays(expected: Case) {
        expectName(expected)
    }

    @Test(arguments: [
        Case(file: "\u{202E}gnp.exe.png", title: "gnp.exe"),
        Case(file: "a\u{200B}b\u{FEFF}.png", title: "ab"),
        Case(file: "a\u{2066}b\u{2069}\u{7F}\u{9B}c.png", title: "abc"),
        Case(file: "new\r\nline\u{2028}here.png", title: "new line here"),
        Case(file: "\u{1}\u{2}.png", title: "\\u{1}\\u{2}"),
        Case(file: "می\u{200C}روم\u{200F}.png", title: "می\u{200C}روم\u{200F}"),
    ])
    func invisibleCharactersCannotMislead(expected: Case) {
        expectName(expected)
    }

    @Test func bytesThatAreNoTextArePercentEncoded() {
        let name = StickerName(fileName: Array("07 caf".utf8) + [0xE9] + Array(" 5%.png".utf8))

        #expect(name.order == 7)
        #expect(name.title == "caf%E9 5%25")
    }

    @Test func longestNameIsRead() {
        let name = StickerName(fileName: Array((String(repeating: "😀", count: 62) + ".png").utf8))

        #expect(name.emojis == ["😀"])
        #expect(name.title == String(repeating: "😀", count: 62))
    }

    private func expectName(_ expected: Case) {
        let name = StickerName(fileName: Array(expected.file.utf8))

        #expect(name.order == expected.order)
        #expect(name.title.unicodeScalars.elementsEqual(expected.title.unicodeScalars))
        #expect(name.emojis == expected.emojis)
    }
}
