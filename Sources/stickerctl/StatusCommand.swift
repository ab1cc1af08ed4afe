import ArgumentParser
import FoundationEssentials
import StickerModel
import StickerStore

/// `stickerctl status`: the state of the whole in a few lines.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows what is published, waiting and refused.")

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let file = try shared.load()
        let store = try shared.openStore(.reader)
        let status = try store.status()
        let report = StatusReport(
            daemon: StateLock.holder(state: file.configuration.state),
            // A detail, shown where it is known.
            freeBytes: try? FreeSpace.bytes(at: file.configuration.out),
            status: status)
        if json {
            try printJSON(report)
        } else {
            for line in report.lines { print(line) }
        }
        if status.needAttention > 0 { throw ExitCode(3) }
    }
}

/// What `status --json` prints.
private struct StatusReport: Encodable {
    /// The process number of the daemon that holds the state folder.
    var daemon: Int32?
    var freeBytes: Int64?
    var status: StoreStatus

    var lines: [String] {
        var lines = [
            daemon.map { "stickerd runs (process \($0))" } ?? "stickerd does not run",
            "\(status.stickers) stickers in \(status.categories) categories",
            "\(status.waiting) waiting, \(status.working) working, \(status.needAttention) need attention",
        ]
        if status.missing > 0 {
            lines.append("\(status.missing) files are gone; their stickers stay for the grace")
        }
        if let freeBytes { lines.append("\(freeBytes / 1_000_000) MB free") }
        for (reason, count) in status.reasons.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(count) x \(reason)")
        }
        if status.needAttention > 0 { lines.append("see: stickerctl jobs --attention") }
        return lines
    }
}
