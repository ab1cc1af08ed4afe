/// The pasteboard JSON of an iOS app for WhatsApp: megabytes, with the pictures inside.
enum PasteboardJSON {
    private static let keys = ["image_data", "tray_image"]

    /// Whether bytes begin it: a picture in Base64 is the value of one of two keys. The keys alone prove nothing: a
    /// sticker may have such a name.
    static func begins(_ bytes: [UInt8]) -> Bool {
        // Searching for the keys first is many times faster, and hardly any file has them.
        guard keys.contains(where: { bytes.contains(Array("\"\($0)\"".utf8)) }) else {
            return false
        }
        let text = String(decoding: bytes, as: UTF8.self)
        // The rest of the picture may follow after these bytes.
        return text.contains(
            /"(?:image_data|tray_image)"\s*:\s*"(?:[A-Za-z0-9+\/\\]{64}|[A-Za-z0-9+\/\\]*$)/)
    }
}
