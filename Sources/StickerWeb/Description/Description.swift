import FoundationEssentials
import NIOCore
import StickerHTTP
import StickerModel

/// The OpenAPI document of everything that is answered here: https://spec.openapis.org/oas/v3.1.0.
struct Description: Sendable {
    private let bytes: [UInt8]

    /// Creates the document of a server that others find at `addresses`.
    init(_ addresses: PublicAddresses) {
        let base = addresses.base.hasSuffix("/") ? addresses.base.dropLast() : addresses.base[...]
        bytes = Array(
            String(decoding: PageFile.bytes("openapi.json"), as: UTF8.self)
                .replacing("\"VERSION\"", with: "\"\(Stickerd.version)\"")
                .replacing("\"BASE\"", with: "\"\(base)\"").utf8)
    }

    /// The document.
    var answer: Answer { .json(200, bytes) }
}
