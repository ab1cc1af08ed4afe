extension WhatsAppValidator {
    /// The values of a manifest that the apps read. `nil` stands for an absent value, or an invalid one that was
    /// reported.
    struct AppManifest {
        /// One pack.
        struct Pack {
            var place: Place
            /// Also the name of its folder on Android.
            var identifier: String?
            var name: String?
            var publisher: String?
            var trayFile: String?
            var isAnimated = false
            var email: String?
            /// Addresses by their keys.
            var websites: [(key: String, address: String)] = []
            var stickers: [Sticker] = []
            /// The number of listed stickers; more than `stickers` if some cannot be read.
            var stickerCount = 0
        }

        /// One sticker.
        struct Sticker {
            var place: Place
            var imageFile: String?
            var emojis: [String]? = []
            var accessibilityText: String?
        }

        var playStoreLink: String?
        var appStoreLink: String?
        var packs: [Pack] = []
    }

    /// The subject of a finding.
    struct Place {
        /// The value of the manifest as a JSON path; empty for the whole manifest and for the contents of another file.
        var path = ""
        /// The identifier of the pack; its JSON path if it has none.
        var pack: String?
        /// The path of the file in the folder; `nil` for the manifest.
        var file: String?

        /// The value under `key` of this object.
        func key(_ key: String) -> Place {
            var place = self
            place.path += path.isEmpty ? key : ".\(key)"
            return place
        }

        /// An item of this list.
        func item(_ index: Int) -> Place {
            var place = self
            place.path += "[\(index)]"
            return place
        }
    }
}
