import StickerPacks
import StickerValues
import Testing

/// A way to break one rule, and no other.
struct CounterExample: Sendable, CustomTestStringConvertible {
    let rule: WhatsAppValidator.Rule
    let app: WhatsAppValidator.App
    /// Whether the pack is animated.
    let moves: Bool
    let name: String
    /// Breaks a good app.
    let change: @Sendable (inout TestApp) throws -> Void

    init(
        _ rule: WhatsAppValidator.Rule, on app: WhatsAppValidator.App = .android,
        moves: Bool = false, _ name: String,
        _ change: @escaping @Sendable (inout TestApp) throws -> Void
    ) {
        (self.rule, self.app, self.moves, self.name) = (rule, app, moves, name)
        self.change = change
    }

    var testDescription: String { "\(rule.rawValue) \(app.rawValue): \(name)" }

    /// The broken app.
    func spoiled() throws -> TestApp {
        var spoiled = TestApp(app, moving: moves)
        try change(&spoiled)
        return spoiled
    }

    static let all = parser + loader + words + pictures + ios + containers
}

extension CounterExample {
    private static let long = JSONValue.string(String(repeating: "a", count: 129))

    private static let parser: [CounterExample] =
        [
            .init(.p1, "no JSON") { $0.manifest = #"{"sticker_packs": [}"# },
            .init(.p1, "a list") { $0.manifest = "[]" },
            .init(.p1, "unknown key") { $0.top["version"] = "1" },
            .init(.p1, "null") { $0.top["ios_app_store_link"] = .null },
            .init(.p1, "no list") { $0.top["sticker_packs"] = "cats" },
            .init(.p1, on: .ios, "no list") { $0.top["sticker_packs"] = .object([:]) },
            .init(.p2, "no packs") { $0.top["sticker_packs"] = [] },
            .init(.p2, on: .ios, "no packs") { $0.top["sticker_packs"] = [] },
            .init(.p3, "pack is a text") { $0.top["sticker_packs"] = ["cats"] },
            .init(.p3, "flag is a text") { $0.pack["animated_sticker_pack"] = "false" },
            .init(.p3, "optional null") { $0.pack["publisher_email"] = .null },
            .init(.p3, "stickers is a text") { $0.pack["stickers"] = "cats" },
            .init(.p3, on: .ios, "no stickers") { $0.pack["stickers"] = [] },
            .init(.p4, "dots") { $0.pack["identifier"] = "..cats" },
            .init(.p4, "slash") { $0.pack["identifier"] = "big/cats" },
            .init(.p5, "unknown key") { $0.sticker["emoji"] = "😀" },
            .init(.p5, "null") { $0.sticker["accessibility_text"] = .null },
            .init(.p5, "emoji is null") { $0.sticker["emojis"] = ["😀", .null] },
            .init(.p5, "sticker is a text") { $0.pack["stickers"] = ["0", "1", "2"] },
            .init(.p6, "missing") { $0.sticker["image_file"] = nil },
            .init(.p6, "empty") { $0.sticker["image_file"] = "" },
            .init(.p6, on: .ios, "null") { $0.sticker["image_file"] = .null },
            .init(.p7, "png") { $0.rename(stickerTo: "0.png") },
            .init(.p7, "capitals") { $0.rename(stickerTo: "0.WEBP") },
            .init(.p8, "dots") { $0.rename(stickerTo: "..0.webp") },
            .init(.p8, "slash") { $0.rename(stickerTo: "big/0.webp") },
            .init(.p8, "slash with an accent") { $0.rename(stickerTo: "big/\u{301}0.webp") },
            .init(.p8, on: .ios, "slash") { $0.rename(stickerTo: "big/0.webp") },
        ]
        + ["identifier", "name", "publisher", "tray_image_file", "image_data_version"].flatMap {
            key in
            [
                .init(.p3, "\(key) missing") { $0.pack[key] = nil },
                .init(.p3, "\(key) empty") { $0.pack[key] = "" },
                .init(.p3, "\(key) null") { $0.pack[key] = .null },
            ] as [CounterExample]
        }

    private static let loader: [CounterExample] = [
        .init(.l1, "same pack twice") { $0.copies = 2 },
        .init(.l2, "no list") { $0.manifest = "{}" },
        .init(.l2, on: .ios, "no list") { $0.manifest = "{}" },
        .init(.l3, "no sticker") { $0.file = nil },
        .init(.l3, "no tray") { $0.tray = nil },
        .init(.l3, "tray outside") { $0.rename(trayTo: "../tray.png") },
        .init(.l3, on: .ios, "no sticker") { $0.file = nil },
        .init(.l4, "empty sticker") { $0.file = [] },
        .init(.l4, "empty tray") { $0.tray = [] },
    ]

    private static let words: [CounterExample] =
        [
            .init(.v01, "too long") { $0.pack["identifier"] = long },
            .init(.v01, on: .ios, "too long") { $0.pack["identifier"] = long },
            .init(.v02, "exclamation mark") { $0.pack["identifier"] = "cats!" },
            .init(.v02, "letter beyond ASCII") { $0.pack["identifier"] = "cäts" },
            .init(.v03, "long name") { $0.pack["name"] = long },
            .init(.v03, "long publisher") { $0.pack["publisher"] = long },
            .init(.v03, on: .ios, "long name") { $0.pack["name"] = long },
            .init(.v04, "no address") { $0.top["android_play_store_link"] = "play.google.com" },
            .init(.v04, "other host") {
                $0.top["android_play_store_link"] = "https://play.google.com.example.org/"
            },
            .init(.v05, "new host") {
                $0.top["ios_app_store_link"] = "https://apps.apple.com/app/id1"
            },
            .init(.v07, "no address") { $0.pack["publisher_email"] = "jo at example.org" },
            .init(.v09, "two stickers") { $0.stickers.removeLast(2) },
            .init(.v09, "31 stickers") { $0 = TestApp(.android, count: 31) },
            .init(.v09, on: .ios, "31 stickers") { $0 = TestApp(.ios, count: 31) },
            .init(.v10, "none") { $0.sticker["emojis"] = nil },
            .init(.v10, "only empty ones") { $0.sticker["emojis"] = ["", ""] },
            .init(.v10, "four") { $0.sticker["emojis"] = ["😀", "😁", "😂", "😃"] },
            .init(.v10, "comma") { $0.sticker["emojis"] = ["😀,😁"] },
            .init(.v10, on: .ios, "four") { $0.sticker["emojis"] = ["😀", "😁", "😂", "😃"] },
            .init(.v11, "long text") { $0.sticker["accessibility_text"] = text(126) },
            .init(.v11, moves: true, "long text") { $0.sticker["accessibility_text"] = text(256) },
            .init(.v11, on: .ios, "long text") { $0.sticker["accessibility_text"] = text(126) },
            .init(.v11, on: .ios, moves: true, "long text") {
                $0.sticker["accessibility_text"] = text(256)
            },
        ]
        + ["publisher_website", "privacy_policy_website", "license_agreement_website"].map { key in
            .init(.v06, key) { $0.pack[key] = "www.example.org" }
        }

    private static func text(_ length: Int) -> JSONValue {
        .string(String(repeating: "a", count: length))
    }
}
