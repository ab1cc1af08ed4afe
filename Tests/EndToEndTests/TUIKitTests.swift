import Foundation
import StickerTestSupport
import Testing

extension EndToEnd {
    /// The library for TUIKit, from the drop to a message.
    struct TUIKitTests {
        private let workshop: Workshop

        init() throws {
            var settings = Workshop.Settings()
            settings.sticker = ["targets": ["whatsapp", "tuikit"]]
            workshop = try Workshop(settings)
        }

        private func export(_ category: String) async throws -> Program.Ending {
            try await workshop.stickerctl(
                "export", category, "--for", "tuikit", "--to", workshop.folder.path("tuikit"))
        }

        @Test func bundleHoldsEveryCategoryAtItsPlaceAndMessagesAreResolved() async throws {
            try workshop.put(try Art.png(1), "dogs/wag.png")
            try workshop.put(try Art.png(2), "cats/wave.png")
            #expect(try await workshop.drain().exitCode == 0)
            for category in ["dogs", "cats", "dogs"] {
                #expect(try await export(category).exitCode == 0)
            }

            let bundle = workshop.folder.path("tuikit/bundle/CustomFaceResource.bundle")
            #expect(
                try FileManager.default.subpathsOfDirectory(atPath: bundle).sorted() == [
                    "g1", "g1/menu@2x.png", "g1/wag@2x.png", "g2", "g2/menu@2x.png",
                    "g2/wave@2x.png",
                ])
            let found = try await workshop.stickerctl("resolve", "cats", "wave")
            #expect(found.exitCode == 0)
            #expect(
                found.output.contains(
                    "ios       CustomFaceResource.bundle/g2/wave@2x.png = \(workshop.out)/_/"))
            #expect(found.output.contains("flutter   placeholder (takes it for group 1)"))
            #expect(
                found.output.contains(
                    #"{"MsgContent":{"Data":"wave","Index":2},"MsgType":"TIMFaceElem"}"#))
            let json = try await workshop.stickerctl("resolve", "2", "wave", "--json")
            #expect(json.output.contains(#""file" : "g2/wave@2x.png""#))
        }

        @Test func unknownGroupsAndNamesEndWithOne() async throws {
            try workshop.put(try Art.png(1), "dogs/wag.png")
            #expect(try await workshop.drain().exitCode == 0)
            let early = try await workshop.stickerctl("resolve", "dogs", "wag")
            #expect(early.exitCode == 1)
            #expect(early.errors.contains("no group dogs was exported"))

            #expect(try await export("dogs").exitCode == 0)

            let name = try await workshop.stickerctl("resolve", "1", "nap")
            #expect(name.exitCode == 1)
            #expect(name.output.contains("android   placeholder"))
            #expect(try await workshop.stickerctl("resolve", "2", "wag").exitCode == 1)
        }
    }
}
