import ArgumentParser
import StickerStore
import StickerValues

/// `stickerctl dismiss`: removes refused jobs from the list of problems.
struct DismissCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Takes refused jobs off the list of those that need attention.",
        usage: "stickerctl dismiss [<options>] [<jobs> ...]",
        discussion: "A later change of the file brings it back, and so does retry.")

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: JobChoice

    @Option(help: "The reason, kept in the log of each job.")
    var note: String?

    func run() throws {
        let store = try shared.openStore(.tool)
        try choice.carryOut("dismissed", in: store) { filter in
            let summary = try store.operations.dismiss(filter, note: note, dryRun: choice.dryRun)
            return JobChoice.Outcome(jobs: summary.dismissed, skipped: summary.skipped)
        }
    }
}
