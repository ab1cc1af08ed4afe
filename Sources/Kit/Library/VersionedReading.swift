import Foundation

/// Reads files that say which version of the format they have.
///
/// A file is read whole or not at all: it is published as a whole, and a sticker that was left out because its entry could
/// not be read would look like one that was removed.
enum VersionedReading {
    /// The version that this release knows. Members may be added to the format without a new one.
    private static let known = 1

    private struct NewerVersion: Error {
        var version: Int
    }

    /// Looks at the version before anything else: of a newer one nothing is certain.
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

    /// Where the page after the one at `url` is: beside it, whatever address the library had where it was published. So a
    /// copy of a library is read from where the copy lies.
    static func page(_ next: String?, after url: URL) -> URL? {
        let name = next?.split(separator: "/").last.map(String.init)
        return name.map { url.deletingLastPathComponent().appendingPathComponent($0) }
    }
}
