import FoundationEssentials
public import StickerModel
public import StickerPacks

/// What is published, read as a consumer reads it.
public struct PublishedTree: Sendable {
    /// The published folder.
    public let out: String
    private let configuration: Configuration

    /// Creates a view of the folder `configuration.out`.
    public init(_ configuration: Configuration) {
        out = configuration.out
        self.configuration = configuration
    }

    /// What the packs of a category are made of; `nil` if nothing is published of it.
    ///
    /// - Parameter category: its names, by which the configuration may list its settings.
    /// - Returns: its manifest, all pages together, and the rules that hold for it.
    /// - Throws: a decoding or file error if a page cannot be read.
    public func source(of category: CategoryNames) throws -> PackSource? {
        let folder = "\(out)/\(category.identifier?.rawValue ?? "")"
        guard FileManager.default.fileExists(atPath: "\(folder)/manifest.json") else { return nil }
        var pages: [Manifest] = []
        var next: String? = "manifest.json"
        while let name = next {
            let page = try read(Manifest.self, "\(folder)/\(name)")
            pages.append(page)
            next = page.nextURL.flatMap { $0.split(separator: "/").last.map(String.init) }
        }
        var source = PackSource(pages: pages)
        let own = configuration.recipe(of: category).targets.map { ($0.name, $0) }
        // The index may not be there yet; then no title is known to be taken.
        let index = try? read(LibraryIndex.self, "\(out)/index.json")
        source?.otherTitles = Set(
            (index?.categories ?? []).filter { $0.identifier != category.identifier }
                .map(\.title))
        source?.targets = configuration.targets.merging(own) { $1 }
        return source
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: path)))
    }
}
