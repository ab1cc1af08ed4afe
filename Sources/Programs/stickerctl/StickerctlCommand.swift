import ArgumentParser
import Glibc
import StickerProgram
import StickerValues

/// `stickerctl`: the operator's tool for stickerd, which works with or without a running daemon.
@main
struct StickerctlCommand: Program {
    static let configuration = CommandConfiguration(
        commandName: "stickerctl",
        abstract: "Shows and controls the work of stickerd.",
        discussion: """
            Works with or without a running daemon. Root reads no ./config.json unless --config \
            names it, and works as the owner of the state folder.

            Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 something needs attention.
            """,
        version: Stickerd.version,
        subcommands: [
            StatusCommand.self, JobsCommand.self, ShowCommand.self, ExplainCommand.self,
            FollowCommand.self, RetryCommand.self, RedoCommand.self, DismissCommand.self,
            PublishCommand.self,
            PauseCommand.self, ResumeCommand.self, UsageCommand.self, PlanCommand.self,
            CheckCommand.self, ConvertCommand.self, PreviewCommand.self, RebuildCommand.self,
            TrashCommand.self, ConfirmDeleteCommand.self, SetCommand.self, BumpCommand.self,
            NewIDCommand.self, AdoptCommand.self, BackupCommand.self, RestoreCommand.self,
            RollbackCommand.self,
            LintCommand.self, ExportCommand.self, ImportCommand.self,
            ResolveCommand.self, SheetCommand.self, WatermarkCommand.self, ReportCommand.self,
        ])

    @OptionGroup var shared: SharedOptions

    static func main() {
        // Dispatch's event thread asks for nice -4, which only root may have, and would log a complaint in the system's
        // log.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        start()
    }
}
