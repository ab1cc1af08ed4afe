import StickerConfiguration
import StickerValues
import Testing

@testable import StickerPacks

/// The library of IMG.LY's editors.
struct IMGLYTests {
    private let platform = IMGLY()
    private let base = "https://stickers.example.org/"

    private func sticker(
        _ number: Int, moves: Bool = false, tint: TintMode? = nil, spoken: String? = nil
    ) -> ManifestSticker {
        var words = StickerWords()
        words.tintMode = tint
        words.accessibilityText = spoken
        return TestPack.sticker(number, for: platform, moves: moves, words: words)
    }

    private func category(_ pack: Pack) throws -> [String: Any] {
        let file = try #require(platform.files(of: [pack], as: "json").first)
        let library = try #require(try file.object()["sticker"] as? [String: Any])
        #expect(file.path == "\(pack.identifier).json")
        return try #require((library["categories"] as? [[String: Any]])?.first)
    }

    private func items(_ pack: Pack) throws -> [[String: Any]] {
        try #require(try category(pack)["items"] as? [[String: Any]])
    }

    @Test func categoryHasTheKeysOfTheWrapperAndNoOthers() throws {
        let pack = try TestPack.pack([sticker(1), sticker(2, moves: true)], for: platform)

        let category = try category(pack)

        #expect(Set(category.keys) == ["identifier", "name", "thumbnailURI", "items"])
        #expect(category["identifier"] as? String == "cats")
        #expect(category["name"] as? String == "Cats")
        #expect(category["thumbnailURI"] as? String == base + (pack.tray?.path ?? "none"))
        let items = try items(pack)
        let keys: Set = ["identifier", "name", "stickerURI", "tintMode", "adjustments"]
        #expect(items.map { Set($0.keys) } == [keys, keys])
        #expect(items.map { $0["identifier"] as? String } == ["s1", "s2"])
        #expect(
            items.map { $0["stickerURI"] as? String }
                == pack.stickers.map { base + $0.picture.published.path })
        #expect((items[0]["stickerURI"] as? String)?.hasSuffix(".png") == true)
        #expect((items[1]["stickerURI"] as? String)?.hasSuffix(".gif") == true)
    }

    @Test func catalogHasSmartStickersAndWhatUsersMayAdd() throws {
        var clock = sticker(7)
        clock.source.name = "clock.smart.svg"
        let manifest = Manifest(
            generation: 1, identifier: CategoryID(rawValue: "smart"), title: "Cats",
            stickers: [clock])
        var source = try #require(PackSource(pages: [manifest]))
        source.baseURL = base
        var personal = PersonalConfiguration()
        (personal.drop, personal.tintMode) = ("/uploads", .colorized)
        let pack = try TestPack.pack([sticker(1)], for: platform)

        let whole = IMGLY(sources: [source], personal: personal)
        let file = try #require(whole.files(of: [pack], as: "catalog").first)

        let library = try #require(try file.object()["sticker"] as? [String: Any])
        #expect(library["personalStickers"] as? Bool == true)
        #expect(library["defaultPersonalStickerTintMode"] as? String == "colorized")
        let categories = try #require(library["categories"] as? [[String: Any]])
        #expect(
            categories.map { $0["identifier"] as? String } == [
                "imgly_sticker_category_emoticons", "cats",
            ])
        // The category has the name of another one.
        #expect(categories.map { $0["name"] as? String } == ["Cats 2", "Cats"])
        let items = try #require(categories[0]["items"] as? [[String: Any]])
        #expect(items.map { $0["identifier"] as? String } == ["s7"])
        #expect((items[0]["stickerURI"] as? String)?.hasPrefix(base) == true)
    }

    @Test func whatMovesIsNeverTintedOrAdjusted() throws {
        let pack = try TestPack.pack(
            [sticker(1, tint: .solid), sticker(2, moves: true, tint: .colorized), sticker(3)],
            for: platform)
        let items = try items(pack)
        #expect(items.map { $0["tintMode"] as? String } == ["solid", "none", "none"])
        #expect(items.map { $0["adjustments"] as? Bool } == [false, false, false])
    }

    @Test func namesAreWhatIsSpokenAndEachThereOnce() throws {
        let spoken = ["cat", "cat", "cat 2", "cat", "", "dog"]
        let pack = try TestPack.pack(
            spoken.enumerated().map { sticker($0 + 1, spoken: $1) }, for: platform)
        let names = try items(pack).map { $0["name"] as? String }
        #expect(names == ["cat", "cat 3", "cat 2", "cat 4", "s5", "dog"])
    }

    @Test func thumbnailIsThatOfTheSticker() throws {
        var sticker = sticker(1)
        sticker.thumbnailURL = "../_/00/\(TestPack.hash(7).rawValue).png"
        let pack = try TestPack.pack([sticker], for: platform)
        let path = try #require(pack.stickers[0].thumbnail?.path)
        #expect(try items(pack)[0]["thumbnailURI"] as? String == base + path)
    }

    @Test func relativeAddressesAreAFault() throws {
        let pack = try TestPack.pack([sticker(1)], for: platform) { $0.baseURL = nil }
        let findings = platform.lint(pack, nil)
        #expect(findings.map(\.rule) == ["no-base-url"])
        #expect(findings[0].severity == .fault)
        #expect(findings[0].remedy == "set publish.publicBaseURL in config.json")
    }

    @Test func categoryWithoutAPictureIsAFault() throws {
        let pack = try TestPack.pack([sticker(1)], for: platform) { $0.tray = nil }
        #expect(platform.lint(pack, nil).map(\.rule) == ["no-tray"])
    }

    @Test func reservedIDsAreAFault() throws {
        var reserved = sticker(1)
        reserved.identifier = StickerID(rawValue: "imgly_cat")
        let pack = try TestPack.pack([reserved, sticker(2)], for: platform) {
            $0.category = CategoryID(rawValue: "imgly_cats")
        }
        let findings = platform.lint(pack, nil)
        #expect(findings.map(\.rule) == ["name", "name"])
        #expect(findings.map(\.measured) == ["imgly_cat", "imgly_cats"])
    }

    @Test func webPAndLargePicturesAreFaults() throws {
        var pack = try TestPack.pack((1...3).map { sticker($0) }, for: platform)
        pack.stickers[0].picture.format = .webp
        pack.stickers[1].picture.height = 4097
        pack.stickers[2].picture.width = 4096
        let findings = platform.lint(pack, nil)
        #expect(findings.map(\.rule) == ["picture-format", "picture-size"])
        #expect(findings.map(\.measured) == ["WebP", "512x4097"])
        #expect(findings.map(\.limit) == ["PNG", "at most 4096x4096"])
    }

    @Test func stickerWithoutACompanionIsInNoPack() {
        let source = TestPack.source([TestPack.sticker(1), sticker(2)])
        #expect(platform.candidates(of: source).map(\.sticker.rawValue) == ["s2"])
    }
}
