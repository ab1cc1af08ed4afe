import ArgumentParser
import StickerModel
import StickerStore

/// `stickerctl retry`: gives refused jobs another round of attempts.
struct RetryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Gives refused jobs another round.",
        usage: "stickerctl retry [<options>] [<jobs> ...]",
        discussion: """
            A file that was refused for what it is, and has not changed since, is refused again; \
            so it is skipped without --force. Changed settings retry by themselves.
            """)

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: JobChoice

    @Flag(help: "Try files as well of which the same result is expected.")
    var force = false

    func run() throws {
        let store = try shared.openStore(.tool)
        try choice.carryOut("requeued", in: store) { filter in
            let summary = try store.retry(filter, dryRun: choice.dryRun, isForced: force)
            return JobChoice.Outcome(jobs: summary.requeued, skipped: summary.skipped)
        }
    }
}
