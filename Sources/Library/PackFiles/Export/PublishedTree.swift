import FoundationEssentials
import Glibc
public import StickerConfiguration
public import StickerPacks
public import StickerValues

/// The published files, read as a consumer reads them.
public struct PublishedTree: Sendable {
    /// The published folder.
    public let out: String
    private let configuration: Configuration

    /// Creates a view of the folder `configuration.out`.
    public init(_ configuration: Configuration) {
        out = configuration.out
        self.configuration = configuration
    }

    /// The source of a category's packs; `nil` if it is not published.
    ///
    /// - Parameter category: its names, by which the configuration may list its settings.
    /// - Returns: its manifest with all pages, and its rules.
    /// - Throws: `PackDamage` or a file error if a page cannot be read.
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
        // A name that only leads there, such as one with a trailing slash, is no id.
        guard source?.category == category.identifier else { return nil }
        let own = configuration.recipe(of: category).targets.map { ($0.name, $0) }
        // Without an index, no title is known to be taken.
        let index = try? read(LibraryIndex.self, "\(out)/index.json")
        source?.otherTitles = Set(
            (index?.categories ?? []).filter { $0.identifier != category.identifier }
                .map(\.title))
        source?.targets = configuration.targets.merging(own) { $1 }
        let settings = configuration.settings(of: category)
        source?.targetsOfTheirOwn = settings.targetsNamedByMarks
        source?.faceGroup = settings.tuikit
        return source
    }

    /// The source of the packs of a category named by an operator.
    ///
    /// - Parameter category: its names, by which the configuration may list its settings.
    /// - Returns: its manifest with all pages, and its rules.
    /// - Throws: `PackError` with the existing categories if it is not published; `PackDamage` or a file error if a
    ///   page cannot be read.
    public func known(_ category: CategoryNames) throws -> PackSource {
        if let source = try source(of: category) { return source }
        let name = category.identifier?.rawValue ?? ""
        // Without an index nothing is published.
        let index = try? read(LibraryIndex.self, "\(out)/index.json")
        let known = (index?.categories ?? []).map(\.identifier.rawValue)
        let more = known.count - Self.namedAtMost
        let remedy =
            known.isEmpty
            ? "nothing is published at all; drop pictures into a folder of the drop"
            : "name one of: \(known.prefix(Self.namedAtMost).joined(separator: ", "))"
                + (more > 0 ? " and \(more.grouped) more, which \(stickerctl: "usage") lists" : "")
        throw PackError(
            description:
                "there is no published category \(FileName.escaped(name)); \(remedy)")
    }

    /// Every published category, in the order of the index.
    ///
    /// - Returns: their ids.
    /// - Throws: `PackDamage` or a file error if the index cannot be read.
    public func categories() throws -> [CategoryID] {
        guard FileManager.default.fileExists(atPath: "\(out)/index.json") else { return [] }
        return try read(LibraryIndex.self, "\(out)/index.json").categories.map(\.identifier)
    }

    /// The damaged files of a category's manifest; all of them are read.
    ///
    /// - Parameter source: the category.
    /// - Returns: one entry for each file, in the order of its stickers.
    public func damage(to source: PackSource) -> [PackDamage] {
        var seen: Set<ContentHash> = []
        return source.stickers.flatMap(\.files).compactMap { file in
            guard seen.insert(file.sha256).inserted else { return nil }
            let path = PublishedPicture(sha256: file.sha256, format: file.format).path
            return .of("\(out)/\(path)", bytes: file.bytes, file.sha256, shown: path)
        }
    }

    /// The most categories in an error.
    private static let namedAtMost = 10

    private func read<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
        let shown = String(path.dropFirst(out.count + 1))
        guard access(path, F_OK) == 0 || errno != ENOENT else {
            throw PackDamage.gone(shown, "JSON")
        }
        let data = try Data(contentsOf: URL(filePath: path))
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw PackDamage(
                shown, "the file differs from the published one", "\(data.count.grouped) B", "JSON")
        }
    }
}
