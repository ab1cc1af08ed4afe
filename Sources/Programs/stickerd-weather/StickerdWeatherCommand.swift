public import ArgumentParser
import FoundationEssentials
import Glibc
public import Logging
import StickerLogs
import StickerConfiguration
import StickerValues
import StickerServices
import StickerSystem

/// `stickerd-weather`: fetches the weather for stickers.
@main
struct StickerdWeatherCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickerd-weather", abstract: "Asks for the weather that stickers show.",
        discussion: """
            Asks once if it is due, writes the answer to weather.json in the folder run of the \
            configuration, and ends; a timer starts it every few minutes. Without --config the file \
            is looked for in STICKERD_CONFIG, ./config.json and /etc/stickerd/config.json.

            Exit codes: 0 answered or nothing to ask, 1 failed, 2 wrong usage, 78 faulty configuration.
            """,
        version: Stickerd.version)

    @Option(help: ArgumentHelp("The configuration.", valueName: "file"))
    var config: String?

    @Flag(help: "Ask even if it is not due.")
    var now = false

    @Option(
        help: ArgumentHelp(
            "Log lines from this level on: trace, debug, info, notice, warning, error or critical.",
            valueName: "level"))
    var logLevel = Logger.Level.info

    /// Wrong usage ends with 2, as documented in the manual; the parser's own code is a different one.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            let message = Array("\(fullMessage(for: error))\n".utf8)
            _ = write(2, message, message.count)
            Glibc.exit(2)
        }
    }

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let stream = environment["JOURNAL_STREAM"]
        let logger = Logger.program("stickerd-weather", level: logLevel, journalStream: stream)
        // Messages of every run are only for people who start it by hand.
        let usual = stream == nil ? Logger.Level.info : .debug
        do {
            let file = try ConfigurationFile.load(
                flag: config, environment: environment,
                workingFolder: FileManager.default.currentDirectoryPath)
            let weather = file.configuration.smart.weather
            guard let place = weather.place else {
                return logger.log(
                    level: usual, "nothing is asked: smart.weather has no latitude and longitude")
            }
            let folder = environment["RUNTIME_DIRECTORY"] ?? Self.folder(file.configuration.run)
            try SystemCall.makeFolders(folder, mode: 0o755)
            let credentials = environment["CREDENTIALS_DIRECTORY"]
            let key: String?
            do throws(ConfigurationError) {
                key = try weather.key(credentials: credentials)
            } catch {
                // For operators who ask stickerctl why there is no weather.
                let isNews = try WeatherKeeper.note(
                    error.description, weather, at: place, writingInto: folder)
                guard isNews || stream == nil else { throw ExitCode(EX_CONFIG) }
                throw error
            }
            guard let key else {
                return logger.log(
                    level: usual,
                    "nothing is asked: smart.weather.keyFile names no file with a key")
            }
            let keeper = WeatherKeeper(
                weather, at: place, key: key, writingInto: folder,
                fetcher: Fetcher(agent: "stickerd-weather/\(Stickerd.version)"))
            try tell(try keeper.look(isForced: now), logger, usual)
        } catch let error as ConfigurationError {
            for fault in error.faults {
                logger.error("faulty configuration", metadata: [LogKey.detail: "\(fault)"])
            }
            throw ExitCode(error.mayPass ? 1 : EX_CONFIG)
        } catch let code as ExitCode {
            throw code
        } catch {
            logger.error("cannot run", metadata: [LogKey.detail: "\(error)"])
            throw ExitCode(1)
        }
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

extension Logger.Level: @retroactive ExpressibleByArgument {}
