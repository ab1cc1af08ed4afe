import StickerPacks
import StickerTestSupport
import StickerValues
import Testing

/// Exports of `export`, as `import` reads them.
struct ExportedFormTests {
    /// A form of a platform.
    struct Form: Hashable, Sendable, CustomTestStringConvertible {
        let platform: PackPlatform
        let name: String

        var testDescription: String { "\(platform.rawValue)/\(name)" }
    }

    static let forms = Platforms.all.flatMap { making in
        making.forms.map { Form(platform: making.platform, name: $0) }
    }

    /// Forms without pictures, and their findings.
    static let unreadable = [
        Form(platform: .imgly, name: "json"): "there are no pictures in it",
        Form(platform: .tuikit, name: "lists"): "there are no pictures in it",
        Form(platform: .whatsapp, name: "handover"): "WhatsApp's pasteboard",
    ]

    private static func made(_ form: Form) throws -> (packs: [Pack], files: MadeFiles) {
        let making = try #require(Platforms.all.first { $0.platform == form.platform })
        let source = TestPack.cleanSource(for: making)
        let packs = TestPack.packs(of: source, for: making)
        return (packs, MadeFiles(making.files(of: packs, as: form.name), source, making))
    }

    @Test(arguments: forms)
    func exportedFormGivesItsStickersAndNoIcons(form: Form) throws {
        let (packs, made) = try Self.made(form)
        if let reason = Self.unreadable[form] {
            let fault = try #require(made.folder.refusal)
            #expect(fault.rule == .noPack && fault.detail.contains(reason), "\(fault)")
            return
        }

        var taken = 0
        for tree in made.archives.isEmpty ? [made.folder] : made.archives {
            let (folders, faults) = try tree.imported()
            #expect(faults == [], "\(faults)")
            taken += folders.reduce(0) { $0 + $1.stickers }
        }

        let stills = packs.flatMap(\.stickers).filter { !$0.picture.moves }
        let expected = form.name == "web" ? stills.count : packs.flatMap(\.stickers).count
        #expect(taken == expected)
    }

    /// Where the platform asks for no title, the folder says it nevertheless.
    @Test(arguments: [PackPlatform.discord, .slack, .zulip])
    func folderOfUploadsGivesTheTitleOfItsPack(platform: PackPlatform) throws {
        let (_, made) = try Self.made(Form(platform: platform, name: "folder"))

        let folder = try #require(try made.folder.imported().folders.first)

        #expect(folder.name == "Cats" && folder.title == "Cats")
        #expect(folder.form.lowercased() == platform.rawValue)
    }

    /// The archive itself is to be named.
    @Test(arguments: [PackPlatform.line, .mastodon, .misskey])
    func folderOfArchivesSaysWhichOneToName(platform: PackPlatform) throws {
        let making = try #require(Platforms.all.first { $0.platform == platform })

        let (_, made) = try Self.made(Form(platform: platform, name: making.forms[0]))

        let fault = try #require(made.folder.refusal)
        #expect(fault.rule == .noPack && fault.remedy == "name the archive itself")
        #expect(fault.file?.hasPrefix("cats.") == true)
    }
}

/// The files of a form on a disk: a folder, and what comes out of each archive in it.
private struct MadeFiles {
    private(set) var folder = MemoryTree()
    private(set) var archives: [MemoryTree] = []

    private let pictures: [ContentHash: [UInt8]]

    init(_ files: [PackFile], _ source: PackSource, _ making: some PackMaking) {
        var sizes = [TestPack.hash(999): PixelSize(width: 96, height: 96)]
        for icon in source.icons { sizes[icon.picture.sha256] = icon.size }
        for file in source.stickers.flatMap(\.files) {
            sizes[file.sha256] = PixelSize(width: file.width, height: file.height)
        }
        pictures = sizes.mapValues { TestPNG.file([TestPNG.header($0.width, $0.height)]) }
        for file in files {
            switch file.content {
            case .archive(_, let inner) where file.path.hasSuffix(".wastickers"):
                for item in inner { put(item, "\(file.path)/\(item.path)", into: &folder) }
            case .archive(_, let inner):
                folder.files[file.path] = [1]
                var tree = MemoryTree()
                tree.name = String(file.path.prefix { $0 != "." })
                for item in inner { put(item, item.path, into: &tree) }
                archives.append(tree)
            default: put(file, file.path, into: &folder)
            }
        }
    }

    private func put(_ file: PackFile, _ path: String, into tree: inout MemoryTree) {
        switch file.content {
        case .bytes(let bytes): tree.files[path] = bytes
        case .picture(let picture): tree.files[path] = pictures[picture.sha256]
        case .joined(let pieces):
            tree.files[path] = pieces.flatMap { piece in
                switch piece {
                case .bytes(let bytes): bytes
                // As large as that of a real picture.
                case .base64: Array(repeating: UInt8(ascii: "A"), count: 400_000)
                }
            }
        case .archive: preconditionFailure("archives hold texts and pictures")
        }
    }
}

extension MemoryTree {
    /// Why nothing of it is taken.
    fileprivate var refusal: ImportFault? {
        do throws(ImportFault) { _ = try PackFinder.packs(in: self) } catch { return error }
        return nil
    }
}
