import StickerValues

extension WhatsAppValidator {
    /// The limits of the sample apps. Their KB is 1024 bytes, and a value equal to its limit passes.
    enum Limits {
        static let wordsLengthMax = 128
        /// Names fewer characters than are allowed: only those never refused.
        static let identifierRemedy = "give the pack an id of letters, digits, _ and -"
        static let stickers = 3...30
        static let stickersShown = "\(stickers.lowerBound) to \(stickers.upperBound) stickers"
        static let emojisMax = 3

        static let trayBytesMax = 50 * 1024
        static let traySides = 24...512
        static let traySize = PixelSize(width: 96, height: 96)

        static let frameMillisecondsMin = 8
        static let animationMillisecondsMax = 10_000

        /// How many bytes a sticker may have.
        static func stickerBytesMax(isAnimated: Bool) -> Int { (isAnimated ? 500 : 100) * 1024 }

        /// How long the accessibility text of a sticker may be.
        static func accessibilityTextLengthMax(isAnimated: Bool) -> Int { isAnimated ? 255 : 125 }

        static let playStoreHost = "play.google.com"
        /// Not `apps.apple.com`, to which Apple has moved.
        static let appStoreHost = "itunes.apple.com"
    }
}
