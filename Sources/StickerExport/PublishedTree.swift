import FoundationEssentials
public import StickerModel
public import StickerPacks

/// What is published, read as a consumer reads it.
public struct PublishedTree: Sendable {
    /// The published folder.
    public let out: String

    /// Creates a view of the folder `out`.
    public init(out: String) { self.out = out }

    /// What the packs of a category are made of; `nil` if nothing is published of it.
    ///
    /// - Throws: a decoding or file error if a page cannot be read.
    public func source(of category: CategoryID) throws -> PackSource? {
        let folder = "\(out)/\(category)"
        guard FileManager.default.fileExists(atPath: "\(folder)/manifest.json") else { return nil }
        var pages: [Manifest] = []
        var next: String? = "manifest.json"
        while let name = next {
            let page = try read(Manifest.self, "\(folder)/\(name)")
            pages.append(page)
            next = page.nextURL.flatMap { $0.split(separator: "/").last.map(String.init) }
        }
        return PackSource(pages: pages)
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: path)))
    }
}
