import Foundation

/// Reads files that state the version of their format.
///
/// A file is read completely or not at all: a sticker left out because its entry cannot be read would look like a
/// removed one.
enum VersionedReading {
    /// The version known to this release. The format may gain members without a new version.
    private static let known = 1

    private struct NewerVersion: Error {
        var version: Int
    }

    /// Reads the version before anything else: a newer one may differ in everything.
    private struct Versioned<Value: Decodable>: Decodable {
        enum CodingKeys: CodingKey { case version }

        var value: Value

        init(from decoder: any Decoder) throws {
            let version = try decoder.container(keyedBy: CodingKeys.self)
                .decode(Int.self, forKey: .version)
            guard version <= known else { throw NewerVersion(version: version) }
            value = try Value(from: decoder)
        }
    }

    static func read<Value: Decodable>(
        _ type: Value.Type, _ data: Data, from url: URL
    ) throws(StickerError) -> Value {
        do {
            return try WireReading.decode(Versioned<Value>.self, data).value
        } catch let error as NewerVersion {
            throw .newerVersion(url.withoutQuery, error.version)
        } catch {
            throw WireReading.unreadable(error, url)
        }
    }

    /// The address of the page after the one at `url`: beside it, whatever the original address of the library. So a
    /// copy of a library is read from the place of the copy.
    static func page(_ next: String?, after url: URL) -> URL? {
        let name = next?.split(separator: "/").last.map(String.init)
        return name.map { url.deletingLastPathComponent().appendingPathComponent($0) }
    }
}
