import ArgumentParser
import FoundationEssentials
import Glibc
import Logging
import StickerConfiguration
import StickerProgram
import StickerServices
import StickerSystem
import StickerValues

/// `stickerd-net weather`: fetches the weather for stickers.
struct WeatherCommand: Program {
    /// The name of the service, and another one of the command.
    static let service = "stickerd-weather"

    static let configuration = CommandConfiguration(
        commandName: StickerdNetCommand.isWeather ? service : "weather",
        abstract: "Asks for the weather that stickers show.",
        discussion: """
            Asks once if it is due, writes the answer to weather.json in the folder run of the \
            configuration, and ends; a timer starts it every few minutes. Without --config the file \
            is looked for in STICKERD_CONFIG, ./config.json and /etc/stickerd/config.json.

            Exit codes: 0 answered or nothing to ask, 1 failed, 2 wrong usage, 78 faulty configuration.
            """,
        version: Stickerd.version)

    @Option(help: .configuration)
    var config: String?

    @Flag(help: "Ask even if it is not due.")
    var now = false

    @Option(help: .logLevel())
    var logLevel = Logger.Level.info

    func run() throws {
        let start = Invocation(of: Self.service, config: config, level: logLevel)
        do {
            try ask(start)
        } catch {
            throw start.failure(error)
        }
    }

    private func ask(_ start: Invocation) throws {
        // Messages of every run are only for people who start it by hand.
        let isService = start.environment["JOURNAL_STREAM"] != nil
        let usual = isService ? Logger.Level.debug : .info
        let file = try start.configuration()
        let weather = file.configuration.smart.weather
        guard let place = weather.place else {
            return start.logger.log(
                level: usual, "nothing is asked: smart.weather has no latitude and longitude")
        }
        let folder = start.environment["RUNTIME_DIRECTORY"] ?? Self.folder(file.configuration.run)
        try SystemCall.makeFolders(folder, mode: 0o755)
        let key: String?
        do throws(ConfigurationError) {
            key = try weather.key(credentials: start.environment["CREDENTIALS_DIRECTORY"])
        } catch {
            // For operators who ask stickerctl why there is no weather.
            let isNews = try WeatherKeeper.note(
                error.description, weather, at: place, writingInto: folder)
            guard isNews || !isService else { throw ExitCode(EX_CONFIG) }
            throw error
        }
        guard let key else {
            return start.logger.log(
                level: usual, "nothing is asked: smart.weather.keyFile names no file with a key")
        }
        let keeper = WeatherKeeper(
            weather, at: place, key: key, writingInto: folder,
            fetcher: Fetcher(agent: "\(Self.service)/\(Stickerd.version)"))
        try tell(try keeper.look(isForced: now), start.logger, usual)
    }

    /// The folder that the daemon reads: where the service writes, if its link exists.
    private static func folder(_ run: String) -> String {
        let link = "\(run)/\(WeatherReport.fileName)"
        // Anything but a link is replaced in place.
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
            return run
        }
        return SystemCall.parentFolder(of: ConfigurationFile.absolute(target, from: run))
    }

    private func tell(
        _ outcome: WeatherKeeper.Outcome, _ logger: Logger, _ usual: Logger.Level
    ) throws {
        switch outcome {
        case .notDue(let next):
            logger.log(level: usual, "nothing is asked before \(next.asDate); --now does")
        case .answered(let reading):
            let weather = reading.weather
            logger.info(
                "weather received",
                metadata: [
                    "kelvin": "\(weather.kelvin)", "condition": "\(weather.condition.rawValue)",
                    "measured": "\(reading.measuredAt.asDate)",
                ])
        case .failed(let trouble, let isNews):
            logger.log(
                level: isNews ? .warning : usual, "no answer",
                metadata: [
                    LogKey.detail: "\(trouble.message)", "failures": "\(trouble.failures)",
                ])
            throw ExitCode(1)
        }
    }
}
