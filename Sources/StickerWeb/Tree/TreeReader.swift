import FoundationEssentials
import Glibc
import StickerModel
import StickerSystem

/// Reads the published tree as a consumer does: pages that a manifest names never change, so that what one manifest leads
/// to is of one generation.
struct TreeReader: Sendable {
    /// The published folder.
    let out: String

    /// The ids of the categories that have stickers.
    ///
    /// - Throws: `FileError` or a decoding error.
    func categories() throws -> [CategoryID] {
        try read(LibraryIndex.self, "index.json").categories.map(\.identifier)
    }

    /// A category with all its stickers.
    ///
    /// - Throws: `FileError` or a decoding error.
    func category(_ id: CategoryID) throws -> PublishedCategory {
        var category = try read(PublishedCategory.self, "\(id)/manifest.json")
        while let url = category.nextURL {
            let page = try read(PublishedCategory.self, "\(id)/\(Self.name(url))")
            category.stickers += page.stickers
            category.nextURL = page.nextURL
        }
        return category
    }

    /// Every sticker that was removed.
    ///
    /// - Throws: `FileError` or a decoding error.
    func removed() throws -> [RemovedSticker] {
        var removed: [RemovedSticker] = []
        var next: String? = RemovedStickers.fileName
        while let name = next {
            let page = try read(RemovedStickers.self, name)
            removed += page.removed
            next = page.nextURL.map(Self.name)
        }
        return removed
    }

    /// What tells a state of a file from the next one; `nil` if there is no such file.
    func mark(of name: String) -> FileStatus? { try? FileStatus(link: "\(out)/\(name)") }

    private static func name(_ url: String) -> String {
        url.split(separator: "/").last.map(String.init) ?? ""
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
        let path = "\(out)/\(name)"
        let bytes = try Descriptor(path, O_RDONLY | O_NOFOLLOW).readToEnd(path: path)
        return try JSONDecoder().decode(type, from: Data(bytes))
    }
}
