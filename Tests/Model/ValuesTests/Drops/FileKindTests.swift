import StickerTestSupport
import StickerValues
import Testing

struct FileKindTests {
    @Test(.needsCorpus) func everyRowOfTheNameTableIsJudged() throws {
        let rows = try Corpus.table("bad/names.tsv")

        for row in rows {
            let name = try #require(row["name_hex"].flatMap(bytes(ofHex:)))
            let verdict = try #require(row["verdict"])
            let expected = try #require(["process": FileKind.picture, "ignore": .ignored][verdict])

            #expect(kind(name) == expected, "\(row["shown_as"] ?? ""): \(row["why"] ?? "")")
        }
        #expect(rows.count > 70)
    }

    @Test(arguments: [
        "a.png", "a.PNG", "a.Apng", "a.gif", "a.jpg", "a.JPEG", "a.jpe", "a.jfif", "#a.png",
        "a#.png", "a.webp", "a.BMP", "a.svg", "a.SVG", "a.svgz",
        "~a.png", "..a.png", "tmp.png", "part.png", "Thumbs.db.png", "cover.png.png", "a b~.png",
    ])
    func picturesAreLookedAt(name: String) {
        #expect(kind(name) == .picture)
    }

    @Test(arguments: [
        "a.ico", "a.psd", "a.tga", "a.jxl",
        "a.xcf", "cover.psd",
    ])
    func knownForeignPicturesAreRefusedByName(name: String) {
        #expect(kind(name, in: "cats") == .foreignPicture)
    }

    @Test(arguments: [
        "a.txt", "a.mp4", "a.zip", "a.png.zip", "a.png.bak", "a.pngx", "a.png ", "a.p\u{200B}ng",
        ".a.png", "..png", "...png", "..", ".", "a.png~", "#a.png#", "~$a.png", "a.webp.part",
        "a.png.temp", "", "png", ".png",
        "a.png.lock", "manifest.json", "a.ｐｎｇ",
    ])
    func everythingElseIsLeftAlone(name: String) {
        #expect(kind(name) == .ignored)
    }

    @Test(arguments: [
        ".git", ".Trash-1000", "lost+found", "@eaDir", "#recycle", "@Recycle", "$RECYCLE.BIN",
        "__MACOSX", "System Volume Information", "old~", "upload.part",
    ])
    func litterFoldersAreLeftAlone(name: String) {
        #expect(FileKind.isIgnoredName(Array(name.utf8)))
    }

    @Test(arguments: ["cats", "#1 fans", "recycle", "~home", "v1.0", "猫", "manifest.json"])
    func ordinaryFoldersAreLookedInto(name: String) {
        #expect(!FileKind.isIgnoredName(Array(name.utf8)))
    }

    @Test func coverStandsDirectlyInACategory() {
        #expect(kind("cover.png", in: "cats") == .cover)
        #expect(kind("Cover.JPG", in: "cats") == .cover)
        #expect(kind("cover.png", in: "cats/winter") == .picture)
        #expect(kind("cover.png", in: "") == .picture)
        #expect(kind("cover 2.png", in: "cats") == .picture)
        #expect(kind("cover", in: "cats") == .ignored)
    }

    private func kind(_ name: String, in directory: String = "") -> FileKind {
        kind(Array(name.utf8), in: directory)
    }

    private func kind(_ name: [UInt8], in directory: String = "") -> FileKind {
        FileKind.of(SourceKey(drop: "/drop", directory: Array(directory.utf8), name: name))
    }

    private func bytes(ofHex text: String) -> [UInt8]? {
        let digits = Array(text)
        guard digits.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(String(digits[index...index + 1]), radix: 16)
        }
        return bytes.count * 2 == digits.count ? bytes : nil
    }
}
