import Foundation

/// Reads JSON of stickerd. Unknown members are ignored: a release may add some without a new version.
enum WireReading {
    static func read<Value: Decodable>(
        _ type: Value.Type, _ data: Data, from url: URL
    ) throws(StickerError) -> Value {
        do {
            return try decode(type, data)
        } catch {
            throw unreadable(error, url)
        }
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: data)
    }

    static func unreadable(_ error: any Error, _ url: URL) -> StickerError {
        let detail = (error as? DecodingError)?.inOneLine ?? error.localizedDescription
        return .unreadable(url.withoutQuery, detail)
    }

    /// The address in `text` on a page at `page`.
    ///
    /// Data from the network must not refer to files of the device.
    static func address(_ text: String, on page: URL) throws(StickerError) -> URL {
        guard let url = URL(string: text, relativeTo: page)?.absoluteURL,
            ["http", "https"].contains(url.scheme?.lowercased() ?? "")
                || url.isFileURL && page.isFileURL
        else { throw .unreadable(page.withoutQuery, "'\(text)' is not an allowed address") }
        return url
    }

    /// The same for an optional address.
    static func address(ifAny text: String?, on page: URL) throws(StickerError) -> URL? {
        guard let text else { return nil }
        return try address(text, on: page)
    }
}

extension DecodingError {
    /// The place and the fault, such as `stickers.3.title: is missing`.
    fileprivate var inOneLine: String {
        switch self {
        case .keyNotFound(let key, let context):
            Self.line(context.codingPath + [key], "is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            Self.line(context.codingPath, context.debugDescription)
        @unknown default: "not the expected JSON"
        }
    }

    private static func line(_ path: [any CodingKey], _ what: String) -> String {
        let place = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
        return place.isEmpty ? what : place.joined(separator: ".") + ": " + what
    }
}
