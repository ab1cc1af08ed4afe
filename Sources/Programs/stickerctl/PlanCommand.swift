import ArgumentParser
import StickerConfiguration
import StickerReports
import StickerStore
import StickerValues

/// `stickerctl plan`: shows the effect of a reload of the configuration.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Shows the changes that the configuration file would make, and their cost.")

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        try shared.refuseUntrustedFile()
        let configuration = try shared.load(isReload: true).configuration
        let plan = try Plan(
            configuration, try shared.openStore(.reader),
            daemon: StateLock.holder(state: configuration.state))
        if json { return try printJSON(plan) }
        for line in plan.lines { print(line) }
    }
}

extension Plan {
    /// For a terminal, at most 80 columns.
    fileprivate var lines: [String] {
        var lines = changes.isEmpty ? ["settings: unchanged"] : ["settings"]
        lines += changes.flatMap { change in
            ("  \(change.key)  \(change.old) -> \(change.new)"
                + (change.needsRestart ? " (needs a restart)" : "")).wrapped(indent: 4)
        }
        lines += drops.flatMap { $0.sentence.wrapped(indent: 4) }
        lines += categories.flatMap { sentence(of: $0).wrapped(indent: 4) }
        lines += faults.flatMap { sentence(of: $0).wrapped(indent: 4) }
        lines += remedyOfWrong.map { $0.wrapped(indent: 4) } ?? []
        let isIdle =
            categories.allSatisfy { $0.stale + $0.unexamined == 0 }
            && !drops.contains { $0.change == .new }
        if isIdle { lines.append("nothing has to be encoded") }
        if !changes.isEmpty { lines.append("put in force: \(remedy)") }
        return lines
    }
}
