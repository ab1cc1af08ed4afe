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
}
