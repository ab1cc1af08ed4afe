public import StickerValues

/// Judges the finished folder of a sticker app as WhatsApp's own sample apps do at their start.
///
/// It follows the parser, the loader and the validator of the Android sample, and the classes of the iOS sample, rule
/// for rule, and also examines the containers of WebP files. It differs in three ways: it reports all faults, not only
/// the first; a fault that several stages would find is reported once, under the first rule; and it reads headers
/// instead of decoding pixels.
///
/// In three places it is stricter than the Android sample: a number is no text, a key may not appear twice in an
/// object, and letters of an identifier have to be ASCII.
///
/// Source: github.com/WhatsApp/stickers, state of November 2025.
public struct WhatsAppValidator: Sendable {
    /// The kind of app.
    public let app: App

    /// Creates a validator for one kind of app.
    ///
    /// - Parameter app: the kind.
    public init(for app: App) { self.app = app }

    /// Checks everything that the manifest names.
    ///
    /// - Parameters:
    ///   - manifest: the bytes of `App.manifestName`.
    ///   - file: returns the bytes of a file by its path in the folder, `nil` if there is none. The path has no `..`;
    ///     its parts are separated by `/`.
    /// - Returns: all faults and warnings, in the order of the manifest; none if WhatsApp accepts the app.
    public func findings(
        in manifest: [UInt8], file: (_ path: String) -> [UInt8]?
    ) -> [Finding] {
        var inspection = Inspection(app: app, text: manifest)
        guard let contents = inspection.readManifest() else { return inspection.findings }
        inspection.checkStoreLinks(of: contents)
        inspection.checkIdentifiersAreUnique(contents.packs)
        for pack in contents.packs {
            inspection.checkWords(of: pack)
            inspection.checkTray(of: pack, file)
            for sticker in pack.stickers { inspection.check(sticker, of: pack, file) }
        }
        return inspection.findings
    }
}

extension WhatsAppValidator {
    /// A kind of sticker app; each reads its own manifest.
    public enum App: String, Hashable, Sendable, Codable, CaseIterable {
        /// One folder for each pack beside the manifest.
        case android
        /// All files beside the manifest.
        case ios

        /// The name of the manifest in the folder of the app.
        public var manifestName: String {
            switch self {
            case .android: "contents.json"
            case .ios: "sticker_packs.wasticker"
            }
        }

        /// The unit of `length(of:)`.
        var lengthUnit: String {
            switch self {
            case .android: "UTF-16 units"
            case .ios: "characters"
            }
        }

        /// The length of a text in the language of the app.
        func length(of text: String) -> Int {
            switch self {
            case .android: text.utf16.count
            case .ios: text.count
            }
        }
    }
}
