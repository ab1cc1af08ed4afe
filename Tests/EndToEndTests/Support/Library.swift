import CCrypto
import Foundation
import Glibc
import StickerCodecs
import StickerRaster
import StickerValues

/// A reader's view of `out` at one moment.
struct Library {
    /// The pages of each category that the index names, the manifest first.
    private(set) var categories: [String: [Manifest]] = [:]
    private var out = ""

    /// Nothing.
    init() {}

    /// Reads the index, and through it every manifest; without an index there is nothing.
    init(below out: String) throws {
        self.out = out
        let index = URL(filePath: "\(out)/index.json")
        guard FileManager.default.fileExists(atPath: index.path) else { return }
        let list = try JSONDecoder().decode(LibraryIndex.self, from: Data(contentsOf: index))
        for category in list.categories {
            categories[category.identifier.rawValue] = try Self.pages(
                "\(out)/\(category.manifestURL)")
        }
    }

    /// Reads every manifest, whether the index names it yet or not.
    init(everyManifestBelow out: String) throws {
        self.out = out
        for name in try FileManager.default.contentsOfDirectory(atPath: out) {
            let manifest = "\(out)/\(name)/manifest.json"
            guard FileManager.default.fileExists(atPath: manifest) else { continue }
            categories[name] = try Self.pages(manifest)
        }
    }

    /// A manifest and the pages behind it.
    static func pages(_ path: String) throws -> [Manifest] {
        let manifest = try JSONDecoder().decode(
            Manifest.self, from: Data(contentsOf: URL(filePath: path)))
        let folder = (path as NSString).deletingLastPathComponent
        return [manifest] + (try manifest.nextURL.map { try pages("\(folder)/\($0)") } ?? [])
    }

    /// Every sticker, in the order of its category.
    var stickers: [ManifestSticker] {
        categories.sorted { $0.key < $1.key }.flatMap { $0.value.flatMap(\.stickers) }
    }

    /// The names of all source files, sorted.
    var names: [String] { stickers.map(\.source.name).sorted() }

    /// The sticker of the source file `name`.
    func sticker(_ name: String) -> ManifestSticker? { stickers.first { $0.source.name == name } }

    func generation(_ category: String) -> Int? { categories[category]?.first?.generation }

    // MARK: Checking

    /// Whatever is not as the manifests say; empty if nothing is.
    func complaints() -> [String] {
        categories.flatMap { category, pages in
            pages.flatMap(\.stickers).flatMap { sticker in
                sticker.files.flatMap { complaints(about: $0, of: sticker, in: category) }
            }
                + [pages.first?.trayURL, pages.first?.imageURL].compactMap { $0 }
                .filter { !FileManager.default.fileExists(atPath: "\(out)/\(category)/\($0)") }
                .map { "\(category): \($0) is missing" }
        }
    }

    /// Files that a manifest names and that are not there or hold something else, but for what is `verified`: the
    /// files that were read before and are never changed.
    func complaints(besides verified: inout Set<String>) -> [String] {
        var complaints: [String] = []
        for (category, pages) in categories {
            for file in pages.flatMap(\.stickers).flatMap(\.files) {
                let path = "\(out)/\(category)/\(file.url)"
                if verified.contains(file.url), access(path, R_OK) == 0 { continue }
                let bytes = FileManager.default.contents(atPath: path)
                if bytes.map({ sha256($0) }) == file.sha256.rawValue {
                    verified.insert(file.url)
                } else {
                    complaints.append("\(category): \(file.url) is missing or has another content")
                }
            }
        }
        return complaints
    }

    private func complaints(
        about file: ManifestSticker.File, of sticker: ManifestSticker, in category: String
    ) -> [String] {
        let who = "\(category)/\(sticker.identifier) \(file.role)"
        guard let bytes = FileManager.default.contents(atPath: "\(out)/\(category)/\(file.url)")
        else { return ["\(who): \(file.url) is missing"] }
        var complaints: [String] = []
        if bytes.count != file.bytes { complaints.append("\(who): \(bytes.count) bytes") }
        if sha256(bytes) != file.sha256.rawValue { complaints.append("\(who): another content") }
        guard file.role == .sticker else { return complaints }
        if bytes.count > 100_000 { complaints.append("\(who): \(bytes.count) bytes are too many") }
        do {
            let size = try WebPDecoder.still(Array(bytes)).size
            if size != .sticker { complaints.append("\(who): \(size)") }
        } catch {
            complaints.append("\(who): \(error)")
        }
        return complaints
    }

    /// Files below `out` that should not be there: temporaries, and pictures that do not hold what their
    /// name says.
    static func litter(below out: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: out)?.compactMap { $0 as? String } ?? []
        return paths.filter { path in
            let name = (path as NSString).lastPathComponent
            guard !name.hasPrefix(".tmp-") else { return true }
            guard path.hasPrefix("_/"), name.count > 2 else { return false }
            let content = FileManager.default.contents(atPath: "\(out)/\(path)") ?? Data()
            return !name.hasPrefix(sha256(content))
        }
    }
}

/// OpenSSL's SHA-256 in hexadecimal digits.
func sha256(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
    return digest.hexadecimal
}
