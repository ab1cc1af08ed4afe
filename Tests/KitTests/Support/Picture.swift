import Foundation
import StickerKit

/// A picture as it is published: its bytes, and a path that tells them.
struct Picture {
    let data: Data
    let path: String

    init(_ text: String, count: Int = 100) {
        data = Data(String(repeating: text, count: count).utf8)
        let hash = SHA256.hexadecimal(data)
        path = "/_/\(hash.prefix(2))/\(hash).png"
    }

    /// The last part of the path.
    var name: String { URL(filePath: path).lastPathComponent }
}

extension StubServer {
    /// Serves pictures, and nothing else.
    convenience init(_ pictures: Picture...) { self.init(pictures) }

    /// Serves pictures, and nothing else.
    convenience init(_ pictures: [Picture]) {
        self.init(
            Dictionary(uniqueKeysWithValues: pictures.map { ($0.path, Answer(body: $0.data)) }))
    }
}
