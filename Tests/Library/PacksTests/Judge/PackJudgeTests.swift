import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPacks

/// Packs as they lie in folders and archives, of stickerd and of others.
struct PackJudgeTests {
    /// A form of a platform.
    struct Form: Hashable, Sendable, CustomTestStringConvertible {
        let platform: PackPlatform
        let name: String

        var testDescription: String { "\(platform.rawValue)/\(name)" }
    }

    /// Every form that holds pictures, or is a description of its own.
    static let forms = Platforms.all.flatMap { making in
        making.forms.filter { !["lists", "handover"].contains($0) }
            .map { Form(platform: making.platform, name: $0) }
    }

    /// Those that do not say for which platform they are.
    private static let silent: Set<Form> = [
        Form(platform: .mastodon, name: "tar"), Form(platform: .tuikit, name: "web"),
    ]

    private func handedOver(_ form: Form) throws -> HandedOver {
        let making = try #require(Platforms.all.first { $0.platform == form.platform })
        return try HandedOver(making, as: form.name)
    }

    @Test(arguments: forms) func whatIsExportedHasNoFault(form: Form) throws {
        for tree in try handedOver(form).trees {
            var judge = PackJudge(tree, for: Self.silent.contains(form) ? form.platform : nil)
            let judged = try judge.judge()

            #expect(judged.allSatisfy { $0.platform == form.platform })
            #expect(judged.flatMap(\.packs).allSatisfy { $0.stickers > 0 })
            let faults = judged.flatMap(\.findings).filter { $0.severity == .fault }
            #expect(faults == [], "\(faults)")
            let pictures = judged.flatMap(\.pictures).count
            #expect(pictures > 0 || form.platform == .imgly)
        }
    }

    @Test(arguments: silent) func platformIsAskedForWhereNothingSaysIt(form: Form) throws {
        let tree = try #require(try handedOver(form).trees.first)
        var judge = PackJudge(tree, for: nil)
        let fault = #expect(throws: ImportFault.self) { try judge.judge() }
        #expect(fault?.rule == .unknownPlatform && fault?.remedy.contains("--for") == true)
    }

    // MARK: Damage

    /// Damage to a file of a pack.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let platform: PackPlatform
        /// The end of the path.
        let file: String
        let rule: String
        let severity: Finding.Severity
        /// The bytes of the file afterwards; `nil` if it is gone.
        let change: @Sendable ([UInt8]) throws -> [UInt8]?

        init(
            _ name: String, _ platform: PackPlatform, _ file: String, _ rule: String,
            _ severity: Finding.Severity = .fault,
            _ change: @escaping @Sendable ([UInt8]) throws -> [UInt8]?
        ) {
            (testDescription, self.platform, self.file) = (name, platform, file)
            (self.rule, self.severity, self.change) = (rule, severity, change)
        }
    }

    private static func sized(_ width: Int, _ height: Int) -> PixelSize {
        PixelSize(width: width, height: height)
    }

    private static func replacing(
        _ text: String, with other: String, in bytes: [UInt8]
    ) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).replacing(text, with: other).utf8)
    }

    static let damages = [
        Damage("cut", .discord, "s2.png", "picture-broken") { Array($0.prefix(100)) },
        Damage("empty", .discord, "s2.png", "picture-broken") { _ in [] },
        Damage("gone", .discord, "s2.png", "missing-file") { _ in nil },
        Damage("another size", .discord, "s2.png", "picture-size") { _ in
            try HandedOver.picture(.png, sized(300, 300))
        },
        Damage("WebP by bytes", .discord, "s2.png", "picture-name") { _ in
            try HandedOver.picture(.webp, sized(320, 320))
        },
        Damage("too large", .discord, "s2.png", "picture-bytes") { _ in
            TestSticker.png(320, 320, bytes: 600_000)
        },
        Damage("too long", .discord, "s21.png", "picture-time") { _ in
            try HandedOver.picture(.png, sized(320, 320), moves: true, milliseconds: 3000)
        },
        Damage("metadata", .discord, "s2.png", "metadata", .warning) { bytes in
            TestPNG.inserting(TestPNG.chunk("tEXt", Array("Author\0Ada".utf8)), into: bytes)
        },
        Damage("no list", .discord, "stickers.json", "bad-description") { Array($0.prefix(20)) },
        Damage("name without picture", .telegram, "sticker_set.json", "missing-file") { bytes in
            Array(String(decoding: bytes, as: UTF8.self).replacing("s2.webp", with: "x.webp").utf8)
        },
        Damage("title too long", .telegram, "sticker_set.json", "title-long") { bytes in
            let title = String(repeating: "Cats ", count: 20)
            let text = String(decoding: bytes, as: UTF8.self)
            return Array(text.replacing("\"Cats\"", with: "\"\(title)\"").utf8)
        },
        Damage("no emoji", .telegram, "sticker_set.json", "no-emoji") { bytes in
            Array(String(decoding: bytes, as: UTF8.self).replacing("\"😀\"", with: "").utf8)
        },
        Damage("emoji without number", .telegram, "sticker_set.json", "emoji-many") { bytes in
            let emojis = Array(repeating: "\"😀\"", count: 21).joined(separator: ",")
            return replacing("\"😀\"", with: emojis, in: bytes)
        },
        Damage("name of a set", .telegram, "sticker_set.json", "set-name") {
            replacing("\"cats\"", with: "\"cats__2\"", in: $0)
        },
        Damage("one character", .discord, "stickers.json", "description-short") {
            replacing("\"file\"", with: "\"description\": \"x\", \"file\"", in: $0)
        },
        Damage("name twice", .misskey, "meta.json", "name-twice") {
            replacing("\"s3\"", with: "\"s2\"", in: $0)
        },
        Damage("name of an emoji", .slack, "emoji.json", "name-changed") {
            replacing("\"s2\"", with: "\"flag-de\"", in: $0)
        },
        Damage("title is cut", .signal, "title.txt", "title-cut", .warning) { _ in
            Array(String(repeating: "Cats ", count: 40).utf8)
        },
        Damage("ends", .signal, "s21.png", "loops") { _ in
            let picture = try HandedOver.picture(.png, .sticker, moves: true)
            return TestPNG.playing(1, picture)
        },
        Damage("moving", .telegram, "s2.webp", "moves") { _ in
            try HandedOver.picture(.webp, sized(512, 512), moves: true)
        },
        Damage("thumbnail", .telegram, "thumbnail.png", "icon-size") { _ in
            try HandedOver.picture(.png, sized(96, 96))
        },
        Damage("tab gone", .line, "tab.png", "no-icon") { _ in nil },
        Damage("one too few", .line, "08.png", "too-few") { _ in nil },
        Damage("no author", .signal, "author.txt", "no-publisher") { _ in nil },
        Damage("fast", .matrix, "s21.webp", "frame-time", .warning) { _ in
            try HandedOver.picture(.webp, .sticker, moves: true, milliseconds: 5)
        },
        Damage("broken catalog", .imessage, "s2.sticker/Contents.json", "bad-description") { _ in
            Array("{}".utf8) + [0]
        },
        Damage("archive: moving among stills", .whatsapp, "cats.wastickers/01.webp", "V15") { _ in
            try HandedOver.picture(.webp, .sticker, moves: true)
        },
        Damage("archive: cut", .whatsapp, "cats.wastickers/01.webp", "V13") {
            Array($0.prefix(100))
        },
        Damage("archive: no author", .whatsapp, "cats.wastickers/author.txt", "V03") { _ in nil },
    ]

    @Test(arguments: damages) func damageIsNamedByItsRule(damage: Damage) throws {
        let form = try #require(Self.forms.first { $0.platform == damage.platform })
        var tree = try #require(try handedOver(form).trees.first)
        let path = try #require(tree.paths.first { $0.hasSuffix(damage.file) })
        tree.files[path] = try damage.change(try #require(tree.files[path]))

        let found = findings(tree, for: damage.platform)

        let named = found.filter { $0.rule == damage.rule && $0.severity == damage.severity }
        #expect(!named.isEmpty, "\(found)")
        #expect(found.allSatisfy { !$0.remedy.contains("stickerctl") })
        if damage.severity == .warning {
            #expect(found.allSatisfy { $0.severity == .warning })
        }
    }

    private func findings(_ tree: MemoryTree, for platform: PackPlatform) -> [Finding] {
        var judge = PackJudge(tree, for: platform)
        do throws(ImportFault) {
            return try judge.judge().flatMap(\.findings)
        } catch {
            return [Finding(error.rule.rawValue, file: error.file, error.detail, remedy: "none")]
        }
    }

    /// Formats that a platform takes and stickerd does not make are no fault.
    @Test func otherFormatsAndSizesThatThePlatformTakesAreNone() throws {
        var tree = try HandedOver(Signal(), as: "folder").folder
        for path in tree.paths where path.hasSuffix(".webp") {
            tree.files[path] = nil
            let name = path.dropLast(".webp".count)
            tree.files["\(name).png"] = try HandedOver.picture(.png, .sticker)
        }
        #expect(findings(tree, for: .signal).filter { $0.severity == .fault } == [])
    }

    // MARK: Pixels

    @Test func looksBecomeFindings() throws {
        let tree = try HandedOver(Discord(), as: "folder").folder
        var judge = PackJudge(tree, for: nil)
        let pictures = try judge.judge().flatMap(\.pictures)
        let picture = try #require(pictures.first)
        let clear = Appearance(
            onDarkPercent: 100, onLightPercent: 100, marginPixels: 0, startsEmpty: false)
        var dark = clear
        dark.onDarkPercent = 3

        #expect(pictures.count == 16)
        #expect(picture.findings(PictureLook(appearance: clear)) == [])
        #expect(picture.findings(PictureLook(fault: "cut")).map(\.rule) == ["picture-broken"])
        #expect(picture.findings(PictureLook(isEmpty: true)).map(\.rule) == ["picture-empty"])
        let vanishing = picture.findings(PictureLook(appearance: dark))
        #expect(vanishing.map(\.rule) == ["vanishes-on-dark"])
        #expect(vanishing.map(\.severity) == [.warning])
    }
}
