import ArgumentParser
import StickerModel
import StickerStore

/// `stickerctl retry`: gives refused jobs another round of attempts.
struct RetryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Gives refused jobs another round.",
        usage: "stickerctl retry [<options>] [<jobs> ...]")

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: JobChoice

    func run() throws {
        let store = try shared.openStore(.tool)
        try choice.carryOut("requeued", in: store) { filter in
            let summary = try store.retry(filter, dryRun: choice.dryRun)
            return JobChoice.Outcome(jobs: summary.requeued, skipped: summary.skipped)
        }
    }
}
