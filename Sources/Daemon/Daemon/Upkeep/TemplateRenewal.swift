import Logging
import StickerConfiguration
import StickerProgram
import StickerReports
import StickerSmart
import StickerStore
import StickerValues

/// Queues smart stickers again when their picture has changed: with time, their settings, the weather or the fonts.
struct TemplateRenewal {
    private let queue: JobQueue
    private let settings: Settings
    private let weather: WeatherWatch
    private let fonts: @Sendable () -> String
    private let logger: Logger
    /// The fonts of texts at the last look.
    private var seenFonts = ""
    /// The last reported weather problem.
    private var trouble: String?

    /// `fonts` returns the fonts of texts, as text that changes with them.
    init(
        _ queue: JobQueue, _ settings: Settings, _ weather: WeatherWatch, logger: Logger,
        fonts: @escaping @Sendable () -> String
    ) {
        (self.queue, self.settings, self.weather) = (queue, settings, weather)
        (self.fonts, self.logger) = (fonts, logger)
    }

    mutating func lookAtFonts() {
        let fonts = fonts()
        // While their folder is replaced, it is briefly empty.
        if !fonts.isEmpty { seenFonts = fonts }
    }

    /// Queues the templates whose picture has changed.
    ///
    /// - Returns: whether there are any.
    mutating func renew(at now: Timestamp) throws -> Bool {
        let outlook = weather.outlook(now)
        let causes = [settings.current.smartText, outlook.text, seenFonts]
        try queue.renewTemplates(ifChanged: causes.joined(separator: "\n"))
        tell(outlook)
        return try queue.renewTemplates() > 0
    }

    /// Logs once why the weather is unknown, and once that it is known again. Logs nothing if no sticker shows weather.
    private mutating func tell(_ outlook: WeatherOutlook) {
        guard settings.current.smart.weather.place != nil, outlook.trouble != trouble else {
            return
        }
        trouble = outlook.trouble
        guard let trouble else { return logger.notice("the weather is known") }
        let consequence =
            outlook.weather == nil
            ? "the weather is unknown, its stickers are absent"
            : "no newer weather is known, its stickers show the last known"
        logger.warning("\(consequence)", metadata: [LogKey.detail: "\(trouble)"])
    }
}
