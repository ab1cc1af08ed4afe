import Foundation
import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// `stickerctl convert`, without a daemon and without books.
    struct ConvertTests {
        @Test func fileBecomesTheStickerThatTheDaemonWouldMake() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/tom.png")
            let made = workshop.folder.path("made.webp")

            let convert = try await workshop.stickerctl(
                "convert", "\(workshop.drop)/cats/tom.png", made)
            #expect(try await workshop.drain().exitCode == 0)

            #expect(convert.exitCode == 0)
            let bytes = try #require(FileManager.default.contents(atPath: made))
            #expect(try WebPDecoder.still(Array(bytes)).size == .sticker)
            let sticker = try Library(below: workshop.out).sticker("tom.png")
            #expect(sticker?.files.first?.sha256.rawValue == sha256(bytes))
        }

        @Test func folderTakesEveryFile() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/tom.png")
            try workshop.folder.makeFolder("made")

            let convert = try await workshop.stickerctl(
                "convert", "\(workshop.drop)/cats/tom.png", workshop.folder.path("made"))

            #expect(convert.exitCode == 0)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: workshop.folder.path("made"))
            let expected = [
                "companion.png", "sticker.webp", "thumbnail-144.png", "thumbnail-96.webp",
                "tray.png",
            ]
            #expect(names.sorted() == expected)
        }

        @Test func misspeltTargetIsNamedWithTheOneThatWasMeant() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "tom.png")

            let convert = try await workshop.stickerctl(
                "convert", "--target", "dicsord", "\(workshop.drop)/tom.png",
                workshop.folder.path("made.png"))

            #expect(convert.exitCode == 2)
            #expect(convert.errors.contains("no target dicsord; did you mean \"discord\"?"))
        }

        @Test func badFileIsRefusedAndNothingIsWritten() async throws {
            let workshop = try Workshop()
            try workshop.put(Array("no picture".utf8), "text.png")

            let convert = try await workshop.stickerctl(
                "convert", "\(workshop.drop)/text.png", workshop.folder.path("made.webp"))

            #expect(convert.exitCode == 3)
            #expect(convert.errors.contains("unsupported-format"))
            #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("made.webp")))
        }

        @Test(arguments: [
            ("tom.gif", "a sticker for whatsapp is a .webp"), ("none/", "there is no folder none/"),
        ])
        func outputThatIsNoWebPIsWrongUsage(output: String, complaint: String) async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "tom.png")

            let convert = try await workshop.stickerctl(
                "convert", "\(workshop.drop)/tom.png", output)

            #expect(convert.exitCode == 2 && convert.errors.contains(complaint))
        }

        @Test func nameOfAnotherFormatThanTheStickersIsRefused() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "tom.png")
            let output = workshop.folder.path("tom.gif")

            let convert = try await workshop.stickerctl(
                "convert", "\(workshop.drop)/tom.png", output, "--target", "discord")

            #expect(convert.exitCode == 2 && convert.errors.contains("the sticker is a .png"))
            #expect(!FileManager.default.fileExists(atPath: output))
        }

        @Test(arguments: ["tom", "made/companion.png"])
        func pictureIsNeverWrittenOver(name: String) async throws {
            let workshop = try Workshop()
            let picture = try workshop.folder.write(try Art.png(1), to: name)
            let output = name == "tom" ? picture : workshop.folder.path("made")

            let convert = try await workshop.stickerctl("convert", picture, output)

            #expect(convert.exitCode == 1 && convert.errors.contains("is the picture itself"))
            #expect(FileManager.default.contents(atPath: picture) == Data(try Art.png(1)))
            #expect(!FileManager.default.fileExists(atPath: workshop.folder.path("made/tray.png")))
        }
    }
}
