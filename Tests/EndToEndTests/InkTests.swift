import Foundation
import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    /// Pictures in CMYK, and a profile that comes and goes.
    struct InkTests {
        private let inked = Workshop.Settings(color: ["cmykProfile": "inks.icc"])

        /// A picture in CMYK, one with a profile, one that calls itself a JPEG, and one in RGB.
        private func workshop(_ settings: Workshop.Settings = .init()) throws -> Workshop {
            let workshop = try Workshop(settings)
            try workshop.folder.write(TestICC.inks.bytes, to: "inks.icc")
            let cyan = TestInkJPEG(cyan: 255, magenta: 0, yellow: 0, black: 0)
            var embedded = cyan
            embedded.profile = TestICC.inks.bytes
            try workshop.put(cyan.bytes, "cats/cyan.jpg")
            try workshop.put(embedded.bytes, "cats/embedded.jpg")
            try workshop.put(try Art.png(1), "cats/light.jpg")
            try workshop.put(try Art.png(2), "cats/light.png")
            return workshop
        }

        private func hashes(_ workshop: Workshop) throws -> [String: String] {
            let library = try Library(below: workshop.out)
            let names = ["cyan.jpg", "embedded.jpg", "light.jpg", "light.png"]
            return Dictionary(
                uniqueKeysWithValues: names.map {
                    ($0, library.sticker($0)?.files.first?.sha256.rawValue ?? "")
                })
        }

        @Test func profileMakesPicturesInCMYKAnewAndTakenBackAsTheyWere() async throws {
            let workshop = try workshop()
            #expect(try await workshop.drain().exitCode == 0)
            let before = try hashes(workshop)
            let jobs = try await workshop.jobs().count

            try workshop.configure(inked)
            let plan = try await workshop.stickerctl("plan").output
            #expect(try await workshop.drain().exitCode == 0)
            let after = try hashes(workshop)
            #expect(try await !workshop.stickerctl("status").output.contains("differs"))

            #expect(plan.contains("color.cmykProfile  - -> "), "\(plan)")
            #expect(plan.contains("cats: 4 pictures, 2 to encode"), "\(plan)")
            #expect(try await workshop.jobs().count == jobs + 2)
            #expect(after.filter { before[$0] != $1 }.map(\.key) == ["cyan.jpg"])
            // By the same profile, embedded or not, it is the same picture.
            #expect(after["cyan.jpg"] == before["embedded.jpg"])

            try workshop.configure(.init())
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try hashes(workshop) == before)
        }

        @Test func convertFollowsTheProfile() async throws {
            let workshop = try workshop(inked)
            let made = workshop.folder.path("made.webp")

            let convert = try await workshop.stickerctl(
                "convert", "\(workshop.drop)/cats/cyan.jpg", made)
            #expect(try await workshop.drain().exitCode == 0)

            #expect(convert.exitCode == 0 && convert.output.contains("by color.cmykProfile"))
            let bytes = try #require(FileManager.default.contents(atPath: made))
            #expect(try WebPDecoder.still(Array(bytes))[256, 256].y < 170)
            #expect(try hashes(workshop)["cyan.jpg"] == sha256(bytes))
        }

        @Test func profileThatWillNotDoIsAFaultOfTheConfiguration() async throws {
            let workshop = try workshop(inked)
            var cut = TestICC.inks
            cut.tags[0].data.removeLast(900)
            let profiles = [
                (TestICC(tags: []).bytes, "is a profile for RGB"), (cut.bytes, "cannot be used: "),
            ]

            for (bytes, complaint) in profiles {
                try workshop.folder.write(bytes, to: "inks.icc")
                let check = try await workshop.stickerctl("check")
                let drain = try await workshop.drain()

                #expect(check.exitCode == 1 && drain.exitCode == 78)
                #expect(check.errors.contains(complaint), "\(check.errors)")
                #expect(drain.errors.contains(complaint), "\(drain.errors)")
            }
            try workshop.folder.write(TestICC.inks.bytes, to: "inks.icc")
            let check = try await workshop.stickerctl("check")
            #expect(check.exitCode == 0 && check.output.contains("profile"), "\(check.errors)")
        }
    }
}
