import ArgumentParser
import FoundationEssentials
import StickerModel
import StickerStore

/// `stickerctl plan`: shows what a reload of the configuration would do.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Shows what the configuration file would change, and how much work that is.")

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        try shared.refuseUntrustedFile()
        let configuration = try shared.load().configuration
        let store = try shared.openStore(.reader)
        let plan = Plan(
            changes: try store.configurationRecord().map {
                Configuration.changes(from: $0.settings, to: configuration.settings)
            } ?? [],
            categories: try store.stale {
                configuration.recipe(forCategoryFolder: $0).ids
            },
            secondsPerSticker: try store.averageJobMilliseconds().map { $0 / 1000 },
            workers: configuration.workerCount,
            oldRevisionHours: configuration.publish.oldRevisionHours,
            daemon: StateLock.holder(state: configuration.state))
        if json { return try printJSON(plan) }
        for line in plan.lines { print(line) }
    }
}

/// What `plan --json` prints.
private struct Plan: Encodable {
    /// Keys that differ from what the daemon runs with, or last ran with.
    var changes: [SettingChange]
    /// Every category, with what would be made again.
    var categories: [StaleCategory]
    /// On one worker, measured on past jobs; absent before the first sticker.
    var secondsPerSticker: Double?
    var workers: Int
    var oldRevisionHours: Double
    /// The process id of the daemon that holds the state folder.
    var daemon: Int32?

    var lines: [String] {
        var lines = changes.isEmpty ? ["settings: unchanged"] : ["settings"]
        lines += changes.flatMap { change in
            ("  \(change.key)  \(change.old) -> \(change.new)"
                + (change.needsRestart ? " (needs a restart)" : "")).wrapped(indent: 4)
        }
        lines += categories.flatMap { line(of: $0).wrapped(indent: 4) }
        if categories.allSatisfy({ $0.stale == 0 }) { lines.append("nothing has to be encoded") }
        if !changes.isEmpty { lines.append("put in force: \(remedy)") }
        return lines
    }

    /// The command that applies the file; a restart includes what a reload does.
    private var remedy: String {
        let needsRestart = changes.contains(where: \.needsRestart)
        guard let daemon else { return "the next start of stickerd does" }
        guard !isService(daemon) else {
            return "systemctl \(needsRestart ? "restart" : "reload") stickerd"
        }
        return needsRestart
            ? "stop stickerd with kill \(daemon), and start it again" : "kill -HUP \(daemon)"
    }

    /// Whether systemd started the process as stickerd.service, according to its control group.
    private func isService(_ process: Int32) -> Bool {
        // If that cannot be read, a service is more likely.
        guard let group = try? String(contentsOfFile: "/proc/\(process)/cgroup", encoding: .utf8)
        else { return true }
        return group.split(separator: "\n").contains { $0.hasSuffix("/stickerd.service") }
    }

    private func line(of category: StaleCategory) -> String {
        let all = category.stickers.counted("picture", "pictures")
        var line = "\(category.category): \(all)"
        if category.relisted > 0 {
            line += ", \(category.relisted.grouped) to publish again with existing files"
        }
        if category.outdated > 0 {
            line +=
                ", \(category.outdated.grouped) made by an older release (stickerctl redo --outdated)"
        }
        guard category.stale > 0 else {
            return category.relisted + category.outdated > 0 ? line : line + ", no change"
        }
        line += ", \(category.stale.grouped) to encode"
        if let secondsPerSticker {
            let seconds = Double(category.stale) * secondsPerSticker / Double(max(1, workers))
            line += ", about \(Int(seconds.rounded(.up)).asTime)"
        }
        let hours = Int((oldRevisionHours * 3600).rounded()).asTime
        return line + ", about \(category.staleBytes.asBytes) more for \(hours)"
    }
}
