import StickerConfiguration
import StickerReports
import StickerSmart
import StickerSystem
import StickerValues
import Synchronization

/// Follows `run/weather.json`, which `stickerd-net weather` replaces when the weather changes.
final class WeatherWatch: Sendable {
    private let settings: Settings
    private let last = Mutex<(status: FileStatus?, file: WeatherFile)>((nil, .absent))

    init(_ settings: Settings) { self.settings = settings }

    /// The outlook at `now`. The file is read when it has changed.
    func outlook(_ now: Timestamp) -> WeatherOutlook {
        let configuration = settings.current
        let place = configuration.smart.weather.place
        guard place != nil else { return WeatherOutlook(.absent, at: nil, now: now) }
        let path = configuration.weatherPath
        // If stat fails, reading the file reports why.
        let status = try? FileStatus(path)
        let file = last.withLock { last in
            guard status == nil || status != last.status else { return last.file }
            last = (status, WeatherFile(path))
            // An unreadable file may be readable next time.
            if case .unreadable = last.file { last.status = nil }
            return last.file
        }
        return WeatherOutlook(file, at: place, now: now)
    }
}

extension WeatherOutlook {
    /// The part of it that stickers show, as text that changes with it.
    var text: String { weather?.shownText ?? "unknown" }
}
