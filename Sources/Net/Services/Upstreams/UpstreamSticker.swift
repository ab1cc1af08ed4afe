package import StickerValues

/// A sticker of an upstream. Everything in it was checked, and may be passed on.
package struct UpstreamSticker: Hashable, Sendable {
    /// The upstream's id: letters, digits, `_`, `-` and `.`.
    package var identifier: String
    /// The name for people, without control characters; empty if it has none.
    package var title = ""
    /// The text for screen readers.
    package var text: String?
    /// The https address of a PNG or GIF, on a configured host.
    package var url: String
    /// The same as WebP.
    package var webp: String?
    /// The address of a small picture.
    package var thumbnail: String
    /// The rating; `nil` if it has none.
    package var rating: Rating?
    /// Search words.
    package var keywords: [String] = []
    /// Whether it moves, if known.
    package var animated = false
    /// The name to credit, if the source requires it for this sticker.
    package var attribution = ""
    /// The link of that name.
    package var attributionURL = ""

    /// Its approximate memory, in bytes.
    var bytes: Int {
        texts.reduce(250) { $0 + $1.utf8.count + 16 }
    }

    var texts: [String] {
        [identifier, title, url, thumbnail, attribution, attributionURL]
            + [text, webp].compactMap(\.self) + keywords
    }
}

/// Why a sticker in an answer is not passed on.
package enum LeftOut: String, Error, Sendable, CaseIterable {
    /// It is no object, or lacks a required member.
    case shape
    /// Its id has other characters, or too many.
    case identifier
    /// A picture is not at an https address of a host that is configured.
    case address
    /// A picture is at an http address.
    case insecure
    /// The address of a picture has the extension of another kind of file.
    case kind
    /// Its rating is higher than requested, or invalid.
    case rating
    /// It lacks a required rating.
    case unrated
    /// It was in the answer before.
    case duplicate
    /// It contains the key.
    case key
    /// There are more than requested.
    case surplus
}

/// Some stickers of an answer.
struct UpstreamPage: Hashable, Sendable {
    /// The usable ones, in order.
    var stickers: [UpstreamSticker] = []
    /// How many are left out, by reason.
    var leftOut: [LeftOut: Int] = [:]
    /// The offset at which the upstream has more; `nil` if it has none.
    var next: Int?
}
