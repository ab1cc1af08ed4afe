import ArgumentParser
import StickerStore
import StickerValues

/// `stickerctl publish`: publishes stickers that wait for review.
struct PublishCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Publishes stickers that wait for review.",
        usage: "stickerctl publish [<options>] [<jobs> ...]",
        discussion: """
            With "review": true, a category publishes a new picture only once an editor says so. \
            To turn one down: stickerctl dismiss.
            """)

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: JobChoice

    func run() throws {
        let store = try shared.openStore(.tool)
        try choice.carryOut("approved", in: store) { filter in
            var filter = filter
            if choice.jobs.isEmpty, filter.reason == nil {
                filter.reason = Refusal.Reason.needsReview.rawValue
            }
            let summary = try store.operations.publish(filter, dryRun: choice.dryRun)
            return JobChoice.Outcome(jobs: summary.requeued, skipped: summary.skipped)
        }
    }
}
