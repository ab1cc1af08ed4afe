import Foundation
import GRDB
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Pictures of every format, and what becomes of those that an older release did not read.
    struct FormatTests {
        /// Two by two pixels in 24 bits.
        private static let bitmap: [UInt8] =
            Array("BM".utf8) + [70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 2, 0, 0, 0, 2]
            + [0, 0, 0, 1, 0, 24] + [UInt8](repeating: 0, count: 25)
            + [0, 0, 255, 0, 255, 0, 0, 0, 255, 0, 0, 255, 255, 255, 0, 0]

        @Test func picturesOfEveryFormatArePublished() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/1.png")
            try workshop.put(Self.bitmap, "cats/2.bmp")
            try workshop.put(TestFormats.tiff, "cats/3.tif")
            try workshop.put(TestFormats.avif, "cats/4.avif")
            try workshop.put(TestFormats.heic, "cats/5.HEIC")
            #expect(try await workshop.drain().exitCode == 0)
            let made = try #require(Library(below: workshop.out).stickers.first?.files.first)
            let sticker = try Data(contentsOf: URL(filePath: "\(workshop.out)/cats/\(made.url)"))
            try workshop.put(Array(sticker), "cats/6.webp")
            try workshop.put(TestFormats.heic, "dogs/named otherwise.jpg")

            #expect(try await workshop.drain().exitCode == 0)

            let library = try Library(below: workshop.out)
            #expect(
                library.names == [
                    "1.png", "2.bmp", "3.tif", "4.avif", "5.HEIC", "6.webp",
                    "named otherwise.jpg",
                ])
            #expect(library.complaints() == [])
        }

        @Test(.needsFonts) func drawingsArePublishedAndHostileOnesHarmNothing() async throws {
            let workshop = try Workshop()
            let hostile = HostileSVG.small
            for (number, file) in hostile.enumerated() {
                try workshop.put(file.bytes, "bad/\(number).svg")
            }
            let drawing =
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>"
                + "<circle cx='4' cy='4' r='4'/></svg>"
            try workshop.put(Array(drawing.utf8), "cats/drawing.svg")
            try workshop.put(try Art.png(1), "cats/picture.png")

            #expect(try await workshop.drain().exitCode == 3)

            let library = try Library(below: workshop.out)
            #expect(Set(["drawing.svg", "picture.png"]).isSubset(of: library.names))
            #expect(library.complaints() == [])
            let jobs = try await workshop.jobs()
            #expect(jobs.count == hostile.count + 2)
            #expect(jobs.allSatisfy { ["completed", "discarded"].contains($0.state) })
            #expect(jobs.count { $0.state == "discarded" } > 10)
        }

        @Test(.needsFonts) func templateIsPublishedInItsStylesAndInNoPack() async throws {
            let workshop = try Workshop()
            let template = Repository.path("deploy/smart/smart/smart weekday.smart.svg")
            let bytes = Array(try Data(contentsOf: URL(filePath: template)))
            try workshop.put(bytes, "days/00 today 😀.smart.svg")
            try workshop.put(Array("Ada".utf8), "days/author.txt")
            for number in 1...3 {
                try workshop.put(try Art.png(number), "days/\(number) a 🐱.png")
            }

            #expect(try await workshop.drain().exitCode == 0)

            let library = try Library(below: workshop.out)
            #expect(library.complaints() == [])
            let today = try #require(library.stickers.first { $0.title == "today" })
            #expect(today.identifier.rawValue == "today" && today.emojis == ["😀"])
            #expect(today.order == nil && today.style == "calendar")
            #expect(today.variants?.map(\.style) == ["badge", "plain"])
            for variant in today.variants ?? [] {
                #expect(variant.files.map(\.format) == [.webp, .png])
                #expect(variant.companionURL == variant.files.last?.url)
                for file in variant.files {
                    let data = try Data(
                        contentsOf: URL(filePath: "\(workshop.out)/days/\(file.url)"))
                    #expect(data.count == file.bytes)
                }
            }
            let to = workshop.folder.path("packs")
            let export = try await workshop.stickerctl(
                "export", "days", "--for", "whatsapp", "--to", to)
            #expect(export.exitCode == 0, "\(export.output)")
            #expect(!export.output.contains("today"))
            let files = try FileManager.default.subpathsOfDirectory(atPath: to)
            #expect(files.count { $0.hasPrefix("android/") && $0.hasSuffix(".webp") } % 3 == 0)
            // Although it is the first, it does not stand for the pack either.
            func tray(_ sticker: ManifestSticker) throws -> Data {
                let file = try #require(sticker.files.first { $0.role == .tray })
                return try Data(contentsOf: URL(filePath: "\(workshop.out)/days/\(file.url)"))
            }
            let pictures = try Set(
                files.filter { $0.hasSuffix(".png") }.map {
                    try Data(contentsOf: URL(filePath: "\(to)/\($0)"))
                })
            #expect(library.stickers.first == today)
            #expect(
                try !pictures.contains(tray(today)) && pictures.contains(tray(library.stickers[1])))
            // The same once more: nothing is made.
            #expect(try await workshop.drain().exitCode == 0)
            #expect(
                try Library(below: workshop.out).stickers.map(\.imageURL)
                    == library.stickers.map(\.imageURL))
        }

        @Test func upgradeMakesStickersOfWhatWasRefusedForItsFormat() async throws {
            let workshop = try Workshop()
            try workshop.put(TestFormats.heic, "cats/phone.nef")
            try workshop.put(TestFormats.heic, "cats/drawing.nef")
            #expect(try await workshop.drain().exitCode == 3)
            try asIfAnOlderReleaseHadRefused("phone.heic", insteadOf: "phone.nef", workshop)

            #expect(try await workshop.drain().exitCode == 3)

            #expect(try Library(below: workshop.out).names == ["phone.heic"])
            let jobs = try await workshop.jobs()
            // The move gave the file another version, for which another job may take the place of its first.
            #expect(
                jobs.map(\.state).filter { $0 != "cancelled" }.sorted()
                    == ["completed", "discarded"])
            #expect(try await workshop.drain().exitCode == 3)
            #expect(try await workshop.jobs().map(\.id) == jobs.map(\.id))
        }

        /// Nothing else tells a refusal for the name from one by a release that did not know the name.
        private func asIfAnOlderReleaseHadRefused(
            _ name: String, insteadOf old: String, _ workshop: Workshop
        ) throws {
            let database = try DatabaseQueue(path: "\(workshop.state)/stickerd.sqlite")
            try database.write { database in
                try database.execute(
                    sql: "UPDATE source SET name = ? WHERE name = ?",
                    arguments: [Data(name.utf8), Data(old.utf8)])
                try database.execute(sql: "DELETE FROM note WHERE key = 'formats'")
            }
            try workshop.move("cats/\(old)", to: "cats/\(name)")
        }
    }
}
