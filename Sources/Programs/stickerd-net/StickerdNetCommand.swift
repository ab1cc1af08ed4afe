import ArgumentParser
import StickerProgram
import StickerValues

/// `stickerd-net`: asks other machines for the daemon, which has no network.
///
/// A role is a command and a service with a user and rights of its own.
@main
struct StickerdNetCommand: Program {
    static let configuration = CommandConfiguration(
        commandName: "stickerd-net", abstract: "Asks other machines for stickerd.",
        discussion: """
            Each command is one role, and a service with a user and rights of its own.

            Exit codes: 0 answered or nothing to ask, 1 failed, 2 wrong usage, 78 faulty configuration.
            """,
        version: Stickerd.version, subcommands: [WeatherCommand.self])

    /// Whether it was started as `stickerd-weather`, which is a link to it.
    static let isWeather =
        CommandLine.arguments.first?.split(separator: "/").last ?? "" == WeatherCommand.service

    static func main() {
        if isWeather { WeatherCommand.start() } else { start() }
    }
}
