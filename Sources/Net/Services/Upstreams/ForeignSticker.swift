package import StickerModel

/// A sticker of somebody else. Whatever stands in it was checked, and may be passed on.
package struct ForeignSticker: Hashable, Sendable {
    /// Its id where it comes from: letters, digits, `_`, `-` and `.`.
    package var identifier: String
    /// The name for people, without control characters; empty if it has none.
    package var title = ""
    /// What a screen reader says.
    package var text: String?
    /// The address of a PNG or GIF, by https and on a host that is configured.
    package var url: String
    /// The same as WebP.
    package var webp: String?
    /// The address of a small picture.
    package var thumbnail: String
    /// For whom it is fit; `nil` if that is not said.
    package var rating: Rating?
    /// Words under which it is found.
    package var keywords: [String] = []
    /// Whether it moves, as far as that is known.
    package var animated = false
    /// Who has to be named, if the source says so of this one.
    package var attribution = ""
    /// Where that leads.
    package var attributionURL = ""

    /// About what it takes in memory, in bytes.
    var bytes: Int {
        texts.reduce(250) { $0 + $1.utf8.count + 16 }
    }

    /// All texts.
    var texts: [String] {
        [identifier, title, url, thumbnail, attribution, attributionURL]
            + [text, webp].compactMap(\.self) + keywords
    }
}

/// Why a sticker in an answer is not passed on.
package enum LeftOut: String, Error, Sendable, CaseIterable {
    /// It is no object, or lacks what each has to have.
    case shape
    /// Its id has other characters, or too many.
    case identifier
    /// A picture is not at an https address of a host that is configured.
    case address
    /// A picture is at an http address.
    case insecure
    /// The address of a picture ends as a file that is none, or is none of the kind that belongs there.
    case kind
    /// It is for older people than was asked, or its rating is none.
    case rating
    /// It has no rating where one is needed.
    case unrated
    /// It was in the answer before.
    case duplicate
    /// The key stands in it.
    case key
    /// There are more than were asked for.
    case surplus
}

/// Some stickers of an answer.
package struct UpstreamPage: Hashable, Sendable {
    /// Those that may be passed on, in order.
    package var stickers: [ForeignSticker] = []
    /// How many may not.
    package var leftOut: [LeftOut: Int] = [:]
    /// The offset at which the upstream has more; `nil` if it has none.
    package var next: Int?
}
