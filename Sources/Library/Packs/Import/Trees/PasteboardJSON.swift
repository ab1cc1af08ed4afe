/// What an app on iOS puts on the pasteboard for WhatsApp: JSON of megabytes that holds the pictures themselves.
enum PasteboardJSON {
    private static let keys = ["image_data", "tray_image"]

    /// Whether bytes begin it: a picture in Base64 is the value of one of two keys. Anybody may call a sticker so.
    static func begins(_ bytes: [UInt8]) -> Bool {
        // Looking for the words is many times faster, and hardly any file has them.
        guard keys.contains(where: { bytes.contains(Array("\"\($0)\"".utf8)) }) else {
            return false
        }
        let text = String(decoding: bytes, as: UTF8.self)
        // The rest of the picture may lie behind the last of the bytes.
        return text.contains(
            /"(?:image_data|tray_image)"\s*:\s*"(?:[A-Za-z0-9+\/\\]{64}|[A-Za-z0-9+\/\\]*$)/)
    }
}
