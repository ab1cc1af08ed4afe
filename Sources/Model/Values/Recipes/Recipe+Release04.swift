extension Recipe {
    /// The values whose JSON with sorted keys was hashed for the recipe of `settings` in release 0.4. Their names are
    /// frozen, so that files made by that release are recognised.
    public static func ofRelease04(_ settings: StickerSettings) -> some Encodable {
        Release04(settings)
    }

    private struct Release04: Encodable {
        struct Settings: Encodable {
            var stillBytesMax, animatedBytesMax, trayBytesMax, marginPixels, qualityMin: Int
            var resample: StickerSettings.Resample
            var goal: EncodingGoal
            var scoreTarget, scoreMin: Double
            var tooLong: String
            var thumbnails: [StickerSettings.Thumbnail]
            var companions: Bool
            var matte: String
            var emojis: [String] = []
        }

        var revision = 2
        var settings: Settings

        init(_ own: StickerSettings) {
            settings = Settings(
                stillBytesMax: own.stillBytesMax, animatedBytesMax: own.animatedBytesMax,
                trayBytesMax: own.trayBytesMax, marginPixels: own.marginPixels,
                qualityMin: own.qualityMin, resample: own.resample, goal: own.goal,
                scoreTarget: own.scoreTarget, scoreMin: own.scoreMin,
                tooLong: own.tooLong == .refuse ? "hold" : own.tooLong.rawValue,
                thumbnails: own.thumbnails, companions: own.companions, matte: own.matte)
        }
    }
}
