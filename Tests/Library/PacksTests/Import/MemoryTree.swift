import StickerPacks
import StickerTestSupport
import StickerValues

/// A tree in memory.
struct MemoryTree: PackTree {
    var name = "pack"
    var files: [String: [UInt8]] = [:]

    var paths: [String] { files.keys.sorted() }

    init(_ texts: [String: String] = [:], pictures: [String] = []) {
        for (path, text) in texts { files[path] = Array(text.utf8) }
        for path in pictures { files[path] = Self.picture }
    }

    /// The start of a PNG: what is handed over is not decoded.
    static let picture = TestPNG.file([TestPNG.header(8, 8)])

    func bytes(at path: String, atMost bytesMax: Int) throws(ImportFault) -> [UInt8] {
        guard let bytes = files[path] else {
            throw ImportFault(.missingFile, path, "gone", remedy: "none")
        }
        guard bytes.count <= bytesMax else {
            throw ImportFault(.tooManyBytes, path, "too large", remedy: "none")
        }
        return bytes
    }

    func firstBytes(_ count: Int, at path: String) throws(ImportFault) -> [UInt8] {
        Array(try bytes(at: path, atMost: .max).prefix(count))
    }
}

extension MemoryTree {
    /// The category folders that come of it, and all that is left out.
    func imported(
        _ limits: ImportLimits = ImportLimits()
    ) throws -> (folders: [CategoryFolder], faults: [ImportFault]) {
        let found = try PackFinder.packs(in: self, limits: limits)
        var loader = PackLoader(self, limits: limits)
        var folders: [CategoryFolder] = []
        var faults = found.faults
        for pack in found.packs {
            do throws(ImportFault) { folders.append(try loader.folder(of: pack)) } catch {
                faults.append(error)
            }
        }
        return (folders, faults + loader.faults)
    }
}

extension CategoryFolder {
    var paths: [String] { files.map(\.path) }

    func bytes(_ path: String) -> [UInt8]? {
        for file in files where file.path == path {
            if case .bytes(let bytes) = file.content { return bytes }
        }
        return nil
    }

    /// The words that the daemon reads about the category.
    func category() throws -> SideFileWords {
        try bytes("category.json").map { try SideFile.category.words(in: $0) } ?? SideFileWords()
    }

    /// The words that the daemon reads about a picture; `nil` if there are none.
    func words(_ picture: String) throws -> StickerWords? {
        try bytes("\(picture).sticker.json").flatMap {
            try SideFile.sticker.words(in: $0).stickers[""]
        }
    }

    /// The pictures in the order that `category.json` gives them.
    func order() throws -> [String] {
        try category().stickers.sorted { $0.value.place ?? 0 < $1.value.place ?? 0 }.map(\.key)
    }
}
