import Foundation
import StickerTestSupport
import StickerValues
import Testing

struct ManifestTests {
    @Test func absentValuesAreLeftOut() throws {
        let json = try JSONEncoder().encode(Manifest.minimal)

        #expect(!String(decoding: json, as: UTF8.self).contains("null"))
        #expect(
            try keys(ManifestSticker.still) == [
                "animated", "emojis", "encoding", "files", "identifier", "imageURL", "source",
                "title",
            ])
        #expect(
            try keys(Manifest.minimal) == [
                "generation", "identifier", "stickers", "title", "version",
            ])
    }

    @Test func everyValueIsWritten() throws {
        #expect(
            try keys(Manifest.full) == [
                "generation", "identifier", "imageURL", "nextURL", "stickers", "title", "trayURL",
                "version",
            ])
        #expect(
            try keys(ManifestSticker.moving) == [
                "animated", "appearance", "changedAt", "companionURL", "emojis", "encoding",
                "files",
                "identifier", "imageURL", "publishedAt", "shortfalls", "source", "thumbnailURL",
                "title",
            ])
    }

    @Test(arguments: [ManifestSticker.still, .moving])
    func stickerSurvivesTheRoundTrip(sticker: ManifestSticker) throws {
        let json = try JSONEncoder().encode(sticker)

        #expect(try JSONDecoder().decode(ManifestSticker.self, from: json) == sticker)
    }

    @Test func addressesFollowTheRoles() {
        let sticker = ManifestSticker.moving

        #expect(sticker.imageURL == "../_/aa/\(digest("a")).webp")
        #expect(sticker.companionURL == "../_/bb/\(digest("b")).gif")
        #expect(sticker.thumbnailURL == "../_/dd/\(digest("d")).png")
        #expect(
            sticker.files.map(\.role) == [
                .sticker, .companion, .thumbnail, .thumbnail, .thumbnail, .rendition,
            ])
        #expect(sticker.files.compactMap(\.target) == ["whatsapp", "discord"])
        #expect(sticker.files.compactMap(\.encoding) == [Encoding(mode: .palette)])
        #expect(sticker.shortfalls?.map(\.target) == ["telegram"])
        #expect(sticker.shortfalls?.map(\.recipe) == [nil])
        #expect(sticker.animated)
    }

    @Test func productWithoutItsStickerTraps() async {
        await #expect(processExitsWith: .failure) {
            let product = StickerProduct(
                recipe: "r", animated: false, encoding: Encoding(mode: .lossless), files: [])
            _ = ManifestSticker(
                identifier: StickerID(rawValue: "cat"), title: "cat", emojis: [], product: product,
                source: .init(name: "cat.png", nameEncoding: nil, sha256: digest("e"))
            ) { $0.path }
        }
    }

    @Test func indexListsCategories() throws {
        let json = try JSONEncoder().encode(LibraryIndex.cats)

        #expect(try keys(LibraryIndex.cats) == ["categories", "generation", "version"])
        #expect(try JSONDecoder().decode(LibraryIndex.self, from: json) == .cats)
    }

    @Test(.needsSchemaValidator) func publishedJSONFollowsItsSchema() throws {
        let folder = try TemporaryFolder()
        let manifests = [Manifest.minimal, .full].enumerated().map { ("\($0).json", $1) }
        for (name, manifest) in manifests {
            try folder.write(Array(JSONEncoder().encode(manifest)), to: name)
        }
        let index = try folder.write(Array(JSONEncoder().encode(LibraryIndex.cats)), to: "index")

        #expect(
            try JSONSchema.manifest.complaints(about: manifests.map { folder.path($0.0) }) == "")
        #expect(try JSONSchema.index.complaints(about: [index]) == "")
        let removed = try folder.write(
            Array(JSONEncoder().encode(RemovedStickers.full)), to: "removed")
        #expect(try JSONSchema.removed.complaints(about: [removed]) == "")
    }

    @Test func addressesTimesAndJudgementsSayNothingOfWhatIsShown() {
        var other = ManifestSticker.moving
        other.imageURL = "https://example.org/\(other.imageURL)"
        other.files[0].url = other.imageURL
        (other.changedAt, other.appearance) = (nil, nil)
        #expect(other.showsTheSame(as: .moving) && other != .moving)

        other.emojis = []
        #expect(!other.showsTheSame(as: .moving))
    }

    /// A schema that accepts anything would pass the test above.
    @Test(
        .needsSchemaValidator,
        arguments: [
            (#""title":"Cats""#, #""title":null"#), (#""title":"Cats""#, #""title":"Cats","x":1"#),
            (#""identifier":"caf""#, #""identifier":"_caf""#), (#""bytes":1234"#, #""bytes":0"#),
            (#""role":"companion""#, #""role":"sticker""#),
            (#""format":"gif""#, #""format":"jpeg""#),
            (#""width":512"#, #""width":511"#), (#""frames":12,"#, ""),
            (#""mode":"lossy""#, #""mode":"lossless""#),
            (#""nameEncoding":"percent","#, "\"y\":2,"),
            (#""target":"whatsapp","#, ""), (#""target":"whatsapp","#, "\"target\":7,"),
            (#""role":"rendition""#, #""role":"poster""#),
            (#""target":"discord","#, ""),
            (#""mode":"palette""#, #""mode":"none""#),
            (#""reason":"unsupported-format""#, #""recipe":"r","reason":"too-long""#),
            (#""target":"telegram""#, #""target":"Telegram""#),
            ("2026-07-02T09:30:00Z", "yesterday"),
            (String(repeating: "e", count: 64), String(repeating: "E", count: 64)),
        ])
    func schemaRefuses(original: String, broken: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(Manifest.full), as: UTF8.self)
        let folder = try TemporaryFolder()
        let range = try #require(text.range(of: original))

        let file = try folder.write(
            Array(text.replacingCharacters(in: range, with: broken).utf8), to: "manifest.json")

        #expect(try JSONSchema.manifest.complaints(about: [file]).hasPrefix("exit code 1"))
    }

    private func keys(_ value: some Encodable) throws -> [String] {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
        return try #require(object as? [String: Any]).keys.sorted()
    }
}

extension Manifest {
    /// With nothing but what must be there.
    fileprivate static let minimal = Manifest(
        generation: 1, identifier: CategoryID(rawValue: "cats"), title: "Cats", stickers: [.still])

    /// With everything.
    fileprivate static let full = Manifest(
        generation: 7, identifier: CategoryID(rawValue: "cats"), title: "Cats",
        imageURL: ManifestSticker.moving.thumbnailURL,
        trayURL: ManifestSticker.moving.files.last?.url, stickers: [.still, .moving],
        nextURL: "pages/2.json")
}

extension RemovedStickers {
    fileprivate static let full = RemovedStickers(
        generation: 4,
        removed: [
            RemovedSticker(
                identifier: StickerID(rawValue: "caf"), title: "caf%E9",
                category: CategoryID(rawValue: "cats"), sha256: digest("e"),
                removedAt: "2026-07-01T09:30:00Z")
        ], nextURL: "_removed-\(digest("a")).json")
}

extension LibraryIndex {
    fileprivate static let cats = LibraryIndex(
        generation: 2,
        categories: [
            .init(
                identifier: CategoryID(rawValue: "cats"), title: "Cats",
                manifestURL: "cats/manifest.json")
        ])
}

extension ManifestSticker {
    /// With nothing but what must be there.
    fileprivate static let still = ManifestSticker(
        identifier: StickerID(rawValue: "happy_cat"), title: "happy \"cat\"\n", emojis: [],
        product: StickerProduct(
            recipe: "r", animated: false, encoding: Encoding(mode: .lossless),
            files: [file(.sticker, .webp, "a")]),
        source: Source(name: "happy cat.png", nameEncoding: nil, sha256: digest("e"))
    ) { "../\($0.path)" }

    /// With everything.
    fileprivate static let moving: ManifestSticker = {
        var sticker = movingWithoutTimes
        sticker.publishedAt = "2026-07-01T09:30:00Z"
        sticker.changedAt = "2026-07-02T09:30:00Z"
        return sticker
    }()

    private static let movingWithoutTimes = ManifestSticker(
        identifier: StickerID(rawValue: "caf"), title: "caf%E9", emojis: ["👨‍👩‍👧‍👦"],
        product: StickerProduct(
            recipe: "r", revision: 2, animated: true,
            encoding: Encoding(mode: .lossy, quality: 71.5, score: 88),
            files: [
                file(.sticker, .webp, "a", moving: true), file(.companion, .gif, "b", moving: true),
                file(.thumbnail, .webp, "c", 400), file(.thumbnail, .png, "d", 144),
                file(.thumbnail, .png, "f", 96), file(.rendition, .png, "1", 320, moving: true),
            ], shortfalls: [.telegram],
            appearance: Appearance(
                onDarkPercent: 90, onLightPercent: 7, marginPixels: 0, startsEmpty: true)),
        source: Source(name: "caf%E9.gif", nameEncoding: "percent", sha256: digest("e"))
    ) { "../\($0.path)" }
}

extension Shortfall {
    fileprivate static let telegram: Shortfall = {
        let refusal = Refusal(.unsupportedFormat, "it moves", remedy: "none")
        var shortfall = Shortfall(target: "telegram", refusal)
        shortfall.recipe = "r"
        return shortfall
    }()
}

private func digest(_ digit: String) -> ContentHash {
    ContentHash(rawValue: String(repeating: digit, count: 64))
}

private func file(
    _ role: StickerFile.Role, _ format: ImageFormat, _ digit: String, _ side: Int = 512,
    moving: Bool = false
) -> StickerFile {
    StickerFile(
        role: role, target: role == .sticker ? "whatsapp" : role == .rendition ? "discord" : nil,
        recipe: "r", format: format, size: PixelSize(width: side, height: side), bytes: 1234,
        sha256: digest(digit), frames: moving ? 12 : nil,
        durationMilliseconds: moving ? 1200 : nil, encoding: Encoding(mode: .palette))
}
