import ArgumentParser
import StickerStore
import StickerValues

/// `stickerctl bump`: moves waiting jobs to the front.
struct BumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bump", abstract: "Lets waiting pictures go before others.",
        discussion: "Large pictures stay on the lanes that are kept for them.")

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Only list the planned changes.")
    var dryRun = false

    @Argument(help: "Files, stickers, or categories by id.")
    var names: [String]

    func run() throws {
        let store = try shared.openStore(.tool)
        var (bumped, unknown) = (0, [String]())
        for name in names {
            let summary = try bump(name, store)
            bumped += summary.bumped.count
            if summary.bumped.isEmpty && summary.skipped.isEmpty { unknown.append(name) }
            for job in summary.bumped { print(job.line) }
            for skipped in summary.skipped { print(skipped.line) }
        }
        print("\(bumped.grouped) \(dryRun ? "would go" : "go") first")
        for name in unknown { complain("nothing waits of \(FileName.escaped(name))") }
        if !unknown.isEmpty { throw ExitCode(1) }
    }

    /// A name is that of a file or sticker; if no such job waits, of a category.
    private func bump(_ name: String, _ store: LibraryStore) throws -> BumpSummary {
        var filter = JobFilter()
        filter.file = try store.known(name)
        let summary = try store.operations.bump(filter, dryRun: dryRun)
        guard summary.bumped.isEmpty, summary.skipped.isEmpty else { return summary }
        filter.file = nil
        filter.category = CategoryID(rawValue: name)
        return try store.operations.bump(filter, dryRun: dryRun)
    }
}
