import FoundationEssentials
import Glibc
import StickerHTTP
import StickerModel
import StickerSystem

/// Reads the published tree as a consumer does: pages that a manifest names never change, so that what one manifest leads
/// to is of one generation.
struct TreeReader: Sendable {
    /// The published folder.
    let out: String
    /// Is told of each file that was read, by its name below the folder.
    var didRead: @Sendable (String) -> Void = { _ in }

    /// The ids of the categories that have stickers, and what tells the list from others.
    ///
    /// - Throws: `FileError` or `DamagedFile`.
    func categories() throws -> ([CategoryID], Fingerprint) {
        let (index, print) = try read(LibraryIndex.self, "index.json")
        return (index.categories.map(\.identifier), print)
    }

    /// A category with all its stickers, each once, and what tells its manifest from others: it names the first page by
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

    /// Every sticker that was removed, and what tells the first page from others; pages are never changed.
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

    /// What tells a state of a file from the next one; `nil` if there is no such file.
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

    /// Pages that lead back to themselves have no end.
    private static func note(_ name: String, in pages: inout Set<String>) throws {
        guard pages.insert(name).inserted else {
            throw DamagedFile(name: name, detail: "its pages lead back to it")
        }
    }

    private func read<Value: Decodable>(
        _ type: Value.Type, _ name: String
    ) throws -> (Value, Fingerprint) {
        // As anybody is served it: without a link on the way, and without waiting for a writer.
        let file = try OpenFile(name, below: out)
        guard try FileStatus(file.descriptor, path: name).kind == .regular else {
            throw DamagedFile(name: name, detail: "it is no file")
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

/// A published file that is not what it should be.
struct DamagedFile: Error, CustomStringConvertible {
    /// Below `out`.
    let name: String
    /// For those who look into the file.
    let detail: String

    var description: String { "\(name) is damaged: \(detail)" }
}
