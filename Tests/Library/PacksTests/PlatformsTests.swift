import StickerPacks
import StickerValues
import Testing

/// Rules for every platform.
struct PlatformsTests {
    static let platforms = Platforms.all.map(\.platform)

    private func making(_ platform: PackPlatform) throws -> any PackMaking {
        try #require(Platforms.all.first { $0.platform == platform })
    }

    /// Every form of a category's packs.
    private func forms(_ platform: PackPlatform) throws -> [[PackFile]] {
        let making = try making(platform)
        let packs = TestPack.packs(of: TestPack.cleanSource(for: making), for: making)
        return making.forms.map { making.files(of: packs, as: $0) }
    }

    @Test func eachIsListedOnce() {
        #expect(Set(Self.platforms).count == Self.platforms.count)
        #expect(Self.platforms.map(\.rawValue) == Self.platforms.map(\.rawValue).sorted())
        for platform in Self.platforms {
            #expect(platform.target.map { Target.builtIn[$0] != nil } ?? true)
        }
    }

    @Test func packsOfTheLibraryAreAPlatformsOwnChoice() {
        let bundled = Platforms.all.filter { !$0.formsOfLibrary.isEmpty && !$0.isForLibrary }

        #expect(Set(bundled.map(\.platform)) == Set(PackPlatform.ofLibrary))
    }

    @Test(arguments: platforms)
    func cleanCategoryHasNoFault(platform: PackPlatform) throws {
        let making = try making(platform)
        let source = TestPack.cleanSource(for: making)

        let plan = PackPlan(source, for: making, remembering: [], place: 1) { "\($0)" }

        #expect(plan.findings.filter { $0.severity == .fault } == [])
        #expect(plan.readiness.ready && !plan.packs.isEmpty)
    }

    @Test(arguments: platforms)
    func equalPacksGiveEqualFiles(platform: PackPlatform) throws {
        #expect(try forms(platform) == forms(platform))
    }

    @Test(arguments: platforms)
    func pathsAreSafeAndUnique(platform: PackPlatform) throws {
        let forms = try forms(platform)

        #expect(!forms.isEmpty && forms.allSatisfy { !$0.isEmpty })
        for files in forms { expectSafePaths(files) }
    }

    private func expectSafePaths(_ files: [PackFile]) {
        let paths = files.map(\.path)
        #expect(Set(paths.map { $0.lowercased() }).count == paths.count, "\(paths)")
        for path in paths {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            #expect(parts.allSatisfy { !["", ".", ".."].contains($0) }, "\(path)")
            #expect(path.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(path)")
        }
        for file in files where !file.files.isEmpty { expectSafePaths(file.files) }
    }

    /// A name of a form is a word that people type, and the name of a folder.
    @Test(arguments: platforms)
    func formsAreWords(platform: PackPlatform) throws {
        let making = try making(platform)
        #expect(making.formsOnRequest.isSubset(of: making.forms))
        #expect(Set(making.forms).count == making.forms.count)
        #expect(making.forms.allSatisfy { $0.wholeMatch(of: /[a-z0-9-]+/) != nil })
    }

    /// Texts of people are everything that Unicode has, and names of files are not made of them.
    @Test(arguments: platforms)
    func strangeTextsDoNoHarm(platform: PackPlatform) throws {
        let making = try making(platform)
        var words = StickerWords()
        words.accessibilityText = "../\"</x>\u{202E}\n" + String(repeating: "👨‍👩‍👧", count: 300)
        words.keywords = ["", "../..", "a\u{0}b"]
        var source = TestPack.cleanSource(for: making)
        source.stickers = (1...8).map { TestPack.sticker($0, for: making, words: words) }
        source.title = "/../\u{7F} " + String(repeating: "é", count: 300)
        source.words.publisher = "\u{0}\\ \(String(repeating: "字", count: 300))"

        let packs = TestPack.packs(of: source, for: making)

        for form in making.forms { expectSafePaths(making.files(of: packs, as: form)) }
        for pack in packs { _ = making.lint(pack, platform.target.flatMap { source.targets[$0] }) }
    }

    /// Most limits are even, so that a text of letters and blanks in turn would be cut behind a blank.
    @Test(arguments: platforms)
    func cutTextEndsWithoutABlank(platform: PackPlatform) throws {
        let making = try making(platform)
        let long = String(repeating: "a ", count: 300) + "z"
        var words = StickerWords()
        words.accessibilityText = long
        words.keywords = [long]
        var source = TestPack.cleanSource(for: making)
        source.stickers = (1...8).map { TestPack.sticker($0, for: making, words: words) }
        for index in source.stickers.indices { source.stickers[index].title = long }
        source.title = long
        source.words.publisher = long
        source.words.description = long
        source.words.licence = long

        let packs = TestPack.packs(of: source, for: making)

        for text in making.forms.flatMap({ making.files(of: packs, as: $0).flatMap(\.texts) }) {
            #expect(!text.contains("a \"") && !text.contains("a \n"), "\(text)")
        }
    }

    /// Platforms without texts of their own would show nothing at all.
    @Test(arguments: platforms)
    func emptyTextsDoNoHarm(platform: PackPlatform) throws {
        let making = try making(platform)
        var source = TestPack.cleanSource(for: making)
        source.title = ""
        for index in source.stickers.indices { source.stickers[index].title = " " }

        let packs = TestPack.packs(of: source, for: making)

        for form in making.forms { expectSafePaths(making.files(of: packs, as: form)) }
    }

    @Test(arguments: platforms)
    func pictureThatBreaksTheRulesIsAFault(platform: PackPlatform) throws {
        let making = try making(platform)
        guard let target = platform.target.flatMap({ Target.builtIn[$0] }) else { return }
        var source = TestPack.cleanSource(for: making)
        source.stickers[0].files[0].bytes = (target.still?.bytesMax ?? 0) * 2
        source.stickers[1].files[0].width = 5000
        source.stickers[2].files[0].format = .bmp
        let packs = TestPack.packs(of: source, for: making)

        let faults = packs.flatMap { making.lint($0, target) }.filter { $0.severity == .fault }

        let named = Set(faults.compactMap { $0.sticker?.rawValue })
        #expect(named == ["s1", "s2", "s3"])
        #expect(faults.allSatisfy { $0.measured != nil && $0.limit != nil && !$0.remedy.isEmpty })
    }
}
