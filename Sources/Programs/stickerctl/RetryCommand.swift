import ArgumentParser
import StickerStore
import StickerValues

/// `stickerctl retry`: gives refused jobs another round of attempts.
struct RetryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Gives refused jobs another round.",
        usage: "stickerctl retry [<options>] [<jobs> ...]",
        discussion: """
            A file that was refused for its content is skipped until it changes, unless --force is \
            given. After changes of settings, files are retried by themselves. 'explain' shows \
            what a sticker was granted.
            """)

    @OptionGroup var shared: SharedOptions
    @OptionGroup var choice: JobChoice

    @Flag(help: "Also retry files for which the same result is expected.")
    var force = false

    @Option(
        help: ArgumentHelp(
            "For animations that play too long: faster, faster-or-trim, trim.", valueName: "what"))
    var tooLong: TooLongChoice?

    @Flag(help: "Accept the readable part of damaged files, for these bytes alone.")
    var acceptDamaged = false

    func validate() throws {
        guard let tooLong, tooLong.rule.own == nil || tooLong.rule.own == .refuse else { return }
        throw ValidationError("a refused file needs --too-long faster, faster-or-trim or trim")
    }

    func run() throws {
        let store = try shared.openStore(.tool)
        try choice.carryOut("requeued", in: store) { filter in
            let summary = try store.operations.retry(
                filter, dryRun: choice.dryRun, isForced: force,
                granting: Grant(tooLong: tooLong?.rule.own, acceptsDamage: acceptDamaged))
            return JobChoice.Outcome(jobs: summary.requeued, skipped: summary.skipped)
        }
    }
}
