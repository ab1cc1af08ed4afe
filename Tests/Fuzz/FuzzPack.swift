import StickerPacks
import StickerValues

/// Descriptions of packs, beside every picture that they may name. Whatever is still understood is a folder that the
/// daemon looks at.
///
/// The first byte of an input chooses the name of the description, in the order of `deploy/fuzz/seeds.py`.
enum FuzzPack {
    private static let descriptions = [
        "contents.json", "sticker_packs.wasticker", "pack.json", "ios.json", "sticker_set.json",
        "stickers.json", "meta.json", "emoji.json", "emoji.txt", "title.txt", "author.txt",
    ]
    private static let pictures = [
        "a.png", "b.webp", "7/a.webp", "7/b.webp", "tray.png", "g1/menu@2x.png", "g1/a@2x.png",
        "g1/b.gif", "cover.png",
    ]

    static func read(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.first else { return }
        var tree = Tree()
        for path in pictures { tree.files[path] = [0x89, 0x50, 0x4E, 0x47] }
        let name = descriptions[Int(first) % descriptions.count]
        // Other texts are read from a folder of which something else says that it is a pack.
        if name.hasSuffix(".txt") { tree.files["title.txt"] = Array("Cats".utf8) }
        tree.files[name] = Array(bytes.dropFirst())
        var limits = ImportLimits()
        (limits.packsMax, limits.stickersMax) = (20, 50)
        do throws(ImportFault) {
            let found = try PackFinder.packs(in: tree, limits: limits)
            check(found.faults)
            precondition(found.packs.count <= limits.packsMax)
            var (loader, names) = (PackLoader(tree, limits: limits), Set<String>())
            for pack in found.packs {
                guard let folder = taken(pack, by: &loader) else { continue }
                precondition(names.insert(FileNames.key(folder.name)).inserted)
                precondition(1...limits.stickersMax ~= folder.stickers)
                check(folder)
            }
            check(loader.faults)
        } catch {
            check([error])
        }
    }

    private static func taken(
        _ pack: ImportedPack, by loader: inout PackLoader
    ) -> CategoryFolder? {
        do throws(ImportFault) { return try loader.folder(of: pack) } catch {
            check([error])
            return nil
        }
    }

    private static func check(_ faults: [ImportFault]) {
        precondition(faults.count <= 1000)
        for fault in faults {
            precondition(!fault.detail.isEmpty && !fault.remedy.isEmpty)
            precondition(FileName.escaped(fault.description) == fault.description)
        }
    }

    private static func check(_ folder: CategoryFolder) {
        var names: Set<String> = []
        for name in [folder.name] + folder.files.map(\.path) {
            precondition(!FileKind.isIgnoredName(Array(name.utf8)), "\(name) is not looked at")
            precondition(!name.contains("/") && name.unicodeScalars.allSatisfy(isHarmless))
            precondition(name.utf8.count <= 200)
        }
        for file in folder.files {
            precondition(names.insert(FileNames.key(file.path)).inserted, "\(file.path) twice")
            let key = SourceKey(
                drop: "/drop", directory: Array(folder.name.utf8), name: Array(file.path.utf8))
            guard let side = SideFile(key), case .bytes(let bytes) = file.content else { continue }
            do { _ = try side.words(in: bytes) } catch { fatalError("\(file.path): \(error)") }
        }
    }

    /// Whether it neither ends a line nor reorders a text. Joiners are a part of words and emoji.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        let reordering: [ClosedRange<UInt32>] = [0x202A...0x202E, 0x2066...0x2069]
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !reordering.contains { $0.contains(scalar.value) }
        }
    }

    /// A tree in memory.
    private struct Tree: PackTree {
        let name = "pack"
        var files: [String: [UInt8]] = [:]

        var paths: [String] { files.keys.sorted() }

        func bytes(at path: String, atMost bytesMax: Int) throws(ImportFault) -> [UInt8] {
            let bytes = try firstBytes(.max, at: path)
            guard bytes.count <= bytesMax else {
                throw ImportFault(.tooManyBytes, path, "it is too large", remedy: "none")
            }
            return bytes
        }

        func firstBytes(_ count: Int, at path: String) throws(ImportFault) -> [UInt8] {
            guard let bytes = files[path] else { fatalError("\(path) is not in the tree") }
            return Array(bytes.prefix(count))
        }
    }
}
