import ArgumentParser

/// `stickerctl`: what an operator asks of stickerd, with or without a running daemon.
@main
struct StickerctlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickerctl",
        abstract: "Shows and steers the work of stickerd.",
        discussion: """
            Works with or without a running daemon.

            Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 something needs attention.
            """,
        subcommands: [
            StatusCommand.self, JobsCommand.self, ShowCommand.self, RetryCommand.self,
            CheckCommand.self, ConvertCommand.self,
        ])

    @OptionGroup var shared: SharedOptions

    /// Runs the command. Wrong usage has the exit code 2, not the library's 64.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch  where exitCode(for: error) == .validationFailure {
            complain(fullMessage(for: error))
            exit(withError: ExitCode(2))
        } catch {
            exit(withError: error)
        }
    }
}
