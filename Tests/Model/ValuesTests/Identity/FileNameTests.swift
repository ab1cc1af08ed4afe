import StickerValues
import Testing

struct FileNameTests {
    @Test(arguments: [
        ("cat.png", "cat", "png"), ("cat.PNG", "cat", "png"), ("a.b.GIF", "a.b", "gif"),
        ("noext", "noext", ""), ("a.", "a", ""), (".hidden", ".hidden", ""), ("..png", ".", "png"),
        ("", "", ""), (".", ".", ""), ("a b .Jpg", "a b ", "jpg"), ("cat.png ", "cat", "png "),
    ])
    func nameFallsIntoStemAndExtension(name: String, stem: String, ext: String) {
        #expect(FileName.stem(Array(name.utf8)) == Array(stem.utf8))
        #expect(FileName.fileExtension(Array(name.utf8)) == ext)
    }

    @Test func validTextIsShownAsItIs() {
        let name = Array("caf\u{65}\u{301} 100%.png".utf8)

        #expect(FileName.isText(name))
        #expect(Array(FileName.display(name).utf8) == name)
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE], "%FF%FE"), ([0x63, 0xE9, 0x2E], "c%E9."),
            ([0x61, 0xC0, 0xAF], "a%C0%AF"),
            ([0x25, 0xFF], "%25%FF"), ([0x0A, 0xFF, 0x7F], "%0A%FF%7F"),
            ([0xED, 0xA0, 0x80], "%ED%A0%80"),
            // No part of a name that is not text is taken for text.
            ([0xC3, 0xA9, 0xFF], "%C3%A9%FF"),
        ] as [([UInt8], String)])
    func otherBytesArePercentEncoded(name: [UInt8], shown: String) {
        #expect(!FileName.isText(name))
        #expect(FileName.display(name) == shown)
    }

    @Test(arguments: [
        ("plain ünïcödé 你好", "plain ünïcödé 你好"), ("tab\there", #"tab\u{9}here"#),
        ("a\r\nb", #"a\u{d}\u{a}b"#), ("\u{1B}[31mred", #"\u{1b}[31mred"#),
        ("\u{202E}gnp", #"\u{202e}gnp"#), ("a\u{200B}b", #"a\u{200b}b"#),
        ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#), ("\u{9B}31m", #"\u{9b}31m"#),
        ("a\u{200D}b", #"a\u{200d}b"#), ("\u{0}", #"\u{0}"#),
        ("👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
        ("😀\u{E0068}\u{E0069}", #"😀\u{e0068}\u{e0069}"#),
    ])
    func nothingForgesALine(text: String, shown: String) {
        #expect(FileName.escaped(text) == shown)
    }

    @Test func sourceIsShownEscaped() {
        let key = SourceKey(
            drop: "/srv/drop", directory: Array("cats/\u{202E}x".utf8), name: [0x61, 0x0A])

        #expect(key.display == #"cats/\u{202e}x/a\u{a}"#)
        #expect(key.categoryFolder == Array("cats".utf8))
    }

    @Test func fileInTheDropItselfHasNoCategoryFolder() {
        let key = SourceKey(drop: "/srv/drop", directory: [], name: Array("a.png".utf8))

        #expect(key.categoryFolder == nil)
        #expect(key.relativePath == Array("a.png".utf8))
    }
}
