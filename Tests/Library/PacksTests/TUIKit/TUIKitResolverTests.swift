import Foundation
import StickerPacks
import StickerValues
import Testing

/// Which file each client shows for a message.
struct TUIKitResolverTests {
    private let resolver = TUIKitResolver(TUIKitLibrary.packs)

    private func shown(
        _ index: Int, _ data: String, on client: TUIKitResolver.Client
    ) -> PublishedPicture? {
        resolver.outcome(of: FaceMessage(index: index, data: data), on: client).picture
    }

    @Test(arguments: [
        (1, "wag", PublishedPicture.of(10, .gif)), (1, "toy_s_3ea07d7c", .of(20, .png)),
        (1, "bow", .of(30, .png)), (2, "wave", .of(40, .png)),
        (2, "menu_99e4dd3a", .of(50, .png)),
    ])
    func everyNameIsFound(index: Int, name: String, picture: PublishedPicture) {
        #expect(shown(index, name, on: .ios) == picture)
        #expect(shown(index, name, on: .android) == picture)
        #expect(shown(index, name, on: .web)?.format == .png)
    }

    @Test(arguments: TUIKitResolver.Client.allCases)
    func whatIsUnknownIsAPlaceholder(client: TUIKitResolver.Client) {
        for (index, name) in [(1, "nap"), (2, "bow"), (3, "wave"), (0, "bow"), (1, "")] {
            let outcome = resolver.outcome(of: FaceMessage(index: index, data: name), on: client)
            // Flutter looks for a name of the first group in that, whatever the message says.
            guard client != .flutter || name != "bow" else { continue }
            #expect(outcome.picture == nil && outcome.file == nil)
        }
    }

    @Test func androidCutsTheSuffixOfOldSendersAndIOSDoesNot() {
        #expect(shown(1, "bow@2x", on: .android) == .of(30, .png))
        #expect(shown(1, "bow@2x.png", on: .android) == .of(30, .png))
        #expect(shown(1, "wag@2x", on: .android) == .of(10, .gif))
        #expect(shown(1, "b@2xow@2x", on: .android) == nil)
        #expect(shown(1, "bow@2x", on: .ios) == nil)
    }

    @Test func iOSTakesAPathWithGIFInItForOne() {
        #expect(shown(1, "wag.gif", on: .ios) == .of(10, .gif))
        #expect(shown(1, "bow.gif", on: .ios) == nil)
        #expect(shown(1, "wag.gif", on: .web) == nil)
    }

    @Test func flutterKnowsNoGroupsButThoseOfTheSample() {
        #expect(
            ["wave", "yz00", "ys00", "gcs00"].map(TUIKitResolver.flutterGroup) == [1, 1, 2, 3])
        #expect(shown(1, "wag", on: .flutter) == .of(10, .gif))
        let other = resolver.outcome(of: FaceMessage(index: 2, data: "wave"), on: .flutter)
        #expect(other.group == 1 && other.picture == nil)
    }

    @Test(arguments: [
        ("1", "wag", 1, "wag"), ("dogs", "toys", 1, "toy_s_3ea07d7c"),
        ("cats", "menu", 2, "menu_99e4dd3a"), ("cats", "toys", 2, "toys"),
        ("2", "wave@2x", 2, "wave@2x"),
    ])
    func groupIsANumberOrACategoryAndNameMayBeAnID(
        group: String, name: String, index: Int, data: String
    ) {
        #expect(
            resolver.message(group: group, name: name) == FaceMessage(index: index, data: data))
    }

    @Test(arguments: ["0", "3", "-1", "birds", ""])
    func unknownGroupHasNoMessage(group: String) {
        #expect(resolver.message(group: group, name: "wave") == nil)
    }

    @Test func messageSurvivesTheWire() throws {
        for name in ["wave", "toy_s_3ea07d7c"] {
            let message = FaceMessage(index: 2, data: name)
            let json = try JSONEncoder().encode(message)
            let object = try #require(
                try JSONSerialization.jsonObject(with: json) as? [String: Any])
            let content = try #require(object["MsgContent"] as? [String: Any])
            #expect(object["MsgType"] as? String == "TIMFaceElem")
            #expect(content["Index"] as? Int == 2 && content["Data"] as? String == name)
            #expect(try JSONDecoder().decode(FaceMessage.self, from: json) == message)
            #expect(String(bytes: Array(message.content.data.utf8), encoding: .utf8) == name)
        }
    }
}
