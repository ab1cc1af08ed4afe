/// A plain colour on which chats show stickers.
public enum ChatGround: CaseIterable, Sendable {
    /// Plain white.
    case white
    /// The light wallpaper of WhatsApp, without its drawings.
    case lightWallpaper
    /// The dark wallpaper of WhatsApp.
    case darkWallpaper
    /// Plain black, as on OLED screens.
    case black

    /// Whether it belongs to the dark design of an app.
    public var isDark: Bool { self == .darkWallpaper || self == .black }

    /// Red, green, blue in sRGB.
    public var color: SIMD3<UInt8> {
        switch self {
        case .white: SIMD3(255, 255, 255)
        case .lightWallpaper: SIMD3(0xEF, 0xEA, 0xE2)
        case .darkWallpaper: SIMD3(0x0B, 0x14, 0x1A)
        case .black: SIMD3(0, 0, 0)
        }
    }
}
