import FoundationEssentials
import NIOCore
import StickerHTTP
import StickerValues

/// The OpenAPI document of all requests: https://spec.openapis.org/oas/v3.1.0.
struct Description: Sendable {
    /// The document.
    let answer: Answer

    /// Creates the document for a server at `addresses`.
    init(_ addresses: PublicAddresses) {
        let base = addresses.base.hasSuffix("/") ? addresses.base.dropLast() : addresses.base[...]
        let text =
            String(decoding: PageFile.bytes("openapi.json"), as: UTF8.self)
            .replacing("\"VERSION\"", with: "\"\(Stickerd.version)\"")
            .replacing("\"BASE\"", with: "\"\(base)\"")
        answer = .json(200, Array(text.utf8))
    }
}
