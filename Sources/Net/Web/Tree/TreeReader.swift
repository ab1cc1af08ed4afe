import FoundationEssentials
import Glibc
import StickerHTTP
import StickerSystem
import StickerValues

/// Reads the published tree like any consumer: pages of a manifest never change, so that one manifest leads to one
/// generation.
struct TreeReader: Sendable {
    /// The published folder.
    let out: String
    /// Called for each file read, with its name below the folder.
    var didRead: @Sendable (String) -> Void = { _ in }

    /// The ids of the categories with stickers, and the fingerprint of the list.
    ///
    /// - Throws: `FileError` or `DamagedFile`.
    func categories() throws -> ([CategoryID], Fingerprint) {
        let (index, print) = try read(LibraryIndex.self, "index.json")
        return (index.categories.map(\.identifier), print)
    }

    /// A category with all its stickers, each once, and the fingerprint of its manifest, which names the first page by
    /// its content, and each page the next.
    ///
    /// - Throws: `FileError` or `DamagedFile`.
    func category(_ id: CategoryID) throws -> (PublishedCategory, Fingerprint) {
        var (category, print) = try read(PublishedCategory.self, "\(id)/manifest.json")
        var pages: Set<String> = []
        while let url = category.nextURL {
            let name = "\(id)/\(Self.name(url))"
            try Self.note(name, in: &pages)
            let (page, _) = try read(PublishedCategory.self, name)
            category.stickers += page.stickers
            category.nextURL = page.nextURL
        }
        var seen: Set<StickerID> = []
        category.stickers.removeAll { !seen.insert($0.identifier).inserted }
        return (category, print)
    }

    /// All removed stickers, and the fingerprint of the first page; pages never change.
    ///
    /// - Throws: `FileError` or `DamagedFile`.
    func removed() throws -> ([RemovedSticker], Fingerprint) {
        var (page, print) = try read(RemovedStickers.self, RemovedStickers.fileName)
        var removed = page.removed
        var pages: Set<String> = []
        while let name = page.nextURL.map(Self.name) {
            try Self.note(name, in: &pages)
            (page, _) = try read(RemovedStickers.self, name)
            removed += page.removed
        }
        return (removed, print)
    }

    /// Distinguishes a state of a file from the next one; `nil` if there is no such file.
    func mark(of name: String) -> FileStatus? { try? FileStatus(link: "\(out)/\(name)") }

    /// Whether nothing was ever published there.
    var isEmpty: Bool {
        do throws(FileError) {
            _ = try FileStatus(link: "\(out)/index.json")
            return false
        } catch {
            return error.kind == .vanished
        }
    }

    private static func name(_ url: String) -> String {
        url.split(separator: "/").last.map(String.init) ?? ""
    }

    /// Detects pages that lead back to themselves.
    private static func note(_ name: String, in pages: inout Set<String>) throws {
        guard pages.insert(name).inserted else {
            throw DamagedFile(name: name, detail: "its pages lead back to it")
        }
    }

    private func read<Value: Decodable>(
        _ type: Value.Type, _ name: String
    ) throws -> (Value, Fingerprint) {
        // As clients get it: without following links, and without waiting for a writer.
        let file = try OpenFile(name, below: out)
        guard try FileStatus(file.descriptor, path: name).kind == .regular else {
            throw DamagedFile(name: name, detail: "it is not a file")
        }
        let bytes = try file.descriptor.readToEnd(path: name)
        didRead(name)
        var print = Fingerprint()
        print.add(bytes)
        do {
            return (try JSONDecoder().decode(type, from: Data(bytes)), print)
        } catch {
            throw DamagedFile(name: name, detail: "\(error)")
        }
    }
}

/// A damaged published file.
struct DamagedFile: Error, CustomStringConvertible {
    /// The path below `out`.
    let name: String
    /// For people who examine the file.
    let detail: String

    var description: String { "\(name) is damaged: \(detail)" }
}
