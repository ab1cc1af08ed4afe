import ArgumentParser
import StickerStore
import StickerValues

/// `stickerctl usage`: shows what takes up space.
struct UsageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Shows the disk space of published files, by category.")

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let usage = try shared.openStore(.reader).operations.usage()
        if json { return try printJSON(usage) }
        print(
            "category".padded(to: 26) + "live".leftPadded(to: 18)
                + "old revisions".leftPadded(to: 18) + "trash".leftPadded(to: 18))
        for category in usage.categories { print(category.line) }
        print("")
        for line in summary(usage) { print(line) }
    }

    private func summary(_ usage: Usage) -> [String] {
        entry("in all", "\(usage.totalBytes.asBytes); files that categories share count once")
            + entry("database", usage.databaseBytes.asBytes)
            + entry(
                "history",
                "about \(usage.history.bytes.asBytes) of it, "
                    + usage.history.jobs.counted("finished job", "finished jobs"))
            + entry(
                "clean-up",
                "\(usage.expired.bytes.asBytes) are due for removal, which happens every hour")
    }
}

extension Usage.Category {
    fileprivate var line: String {
        id.rawValue.cut(to: 25).padded(to: 26)
            + [live, oldRevisions, trash].map { $0.shown.leftPadded(to: 18) }.joined()
    }
}

extension Usage.Amount {
    fileprivate var shown: String {
        pictures == 0 ? "-" : "\(pictures.grouped) \(bytes.asBytes.leftPadded(to: 9))"
    }
}
