import StickerValues
import Testing

struct MisnamedPictureTests {
    private func key(_ name: [UInt8], in directory: String = "") -> SourceKey {
        SourceKey(drop: "/d", directory: Array(directory.utf8), name: name)
    }

    @Test(
        arguments: [
            ("photo.jpg_large", .jpeg, "photo.jpg"), ("cat.png ", .png, "cat.png"),
            ("Untitled_Artwork", .png, "Untitled_Artwork.png"), ("y.png.1", .png, "y.png"),
            ("y.PNG.1", .png, "y.PNG"), ("y.png.1", .gif, "y.gif"), ("a.pngx", .png, "a.png"),
            ("a.p\u{200B}ng", .png, "a.png"), ("photo.jpg?w=200", .jpeg, "photo.jpg"),
            ("IMG_1.thm", .jpeg, "IMG_1.jpg"), ("v1.2 cat", .png, "v1.2 cat.png"),
            ("Artwork 1.5", .png, "Artwork 1.5.png"), ("a.", .gif, "a.gif"),
            ("clock.smart.svg.1", .svg, "clock.smart.svg"), ("scan.dat", .tiff, "scan.tif"),
            ("png", .png, "png.png"), ("day.smart", .svg, "day.smart.svg"),
            ("a.png.zip", .png, "a.png"), ("...x", .png, "...x.png"),
        ] as [(String, ImageFormat, String)])
    func proposedNameIsSensible(name: String, format: ImageFormat, proposal: String) {
        let misnamed = MisnamedPicture(key(Array(name.utf8)), format: format) { _ in false }
        #expect(misnamed.name == proposal)
    }

    @Test func proposedNameIsFree() {
        let taken: Set = ["y.png", "y-1.png"]
        let misnamed = MisnamedPicture(
            key(Array("y.png.1".utf8)), format: .png, isTaken: taken.contains)
        #expect(misnamed.name == "y-2.png")
    }

    @Test func proposedNameIsAPicturesAndShort() {
        let names = [
            Array(repeating: UInt8(ascii: "n"), count: 255), [0xFF, 0xFE], Array(" . ".utf8),
            Array("a\u{202E}b".utf8), Array("\n".utf8),
        ]
        for name in names {
            let misnamed = MisnamedPicture(key(name), format: .webp) { _ in false }
            let proposal = key(Array(misnamed.name.utf8))
            #expect(FileKind.of(proposal) == .picture && proposal.name.count <= 255)
        }
    }

    /// A cover becomes the tray icon.
    @Test func proposedNameIsThatOfASticker() {
        let cover = Array("cover.jpg_large".utf8)
        let misnamed = [key(cover, in: "cats"), key(cover)].map { key in
            MisnamedPicture(key, format: .jpeg) { _ in false }
        }
        #expect(misnamed.map(\.name) == ["cover-1.jpg", "cover.jpg"])
        let remedy = misnamed[0].refusal(of: key(cover, in: "cats")).remedy
        #expect(
            remedy == "rename it to cover-1.jpg; named cover.jpg it represents the category")
    }

    @Test func refusalTellsExtensionAndRemedy() {
        let key = key(Array("photo.jpg_large".utf8))
        let refusal = MisnamedPicture(key, format: .jpeg) { _ in false }.refusal(of: key)
        #expect(refusal.measured == #""jpg_large""# && refusal.limit == "jpg, jpeg, jpe, jfif")
        #expect(refusal.remedy == "rename it to photo.jpg")
    }

    @Test(arguments: [
        ("a.png_large", true), ("a.txt", true), ("noext", true), ("a.png", false),
        ("a.psd", false), ("a.png.part", false), ("a.png.tmp", false), (".a.png.x", false),
        ("a.png~", false), ("a.crdownload", false), ("a.nef", false), ("a.pef", false),
        ("category.json", false), ("a.png.sticker.json", false), ("Thumbs.db", false),
    ]) func onlyUnknownNamesAreLookedInto(name: String, isLookedInto: Bool) {
        let key = SourceKey(drop: "/d", directory: [], name: Array(name.utf8))
        #expect(FileKind.mayBeMisnamed(key) == isLookedInto)
    }
}
