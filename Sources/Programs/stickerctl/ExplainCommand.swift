import ArgumentParser
import StickerConfiguration
import StickerReports
import StickerStore
import StickerValues

/// `stickerctl explain STICKER`: explains why a sticker looks as it does, or does not exist.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Shows why a sticker looks as it does, and what would help.")

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "A sticker, by id, or its file.")
    var sticker: String

    func run() throws {
        let store = try shared.openStore(.reader)
        let name = try store.known(sticker)
        guard let story = try store.operations.story(of: name) else {
            throw unknown(try others(named: name, store))
        }
        let explanation = Explanation(story)
        if json { return try printJSON(explanation) }
        for line in explanation.lines { print(line) }
    }

    /// A file that did not become a sticker may still have jobs.
    private func others(named name: String, _ store: LibraryStore) throws -> [JobRecord] {
        var filter = JobFilter()
        filter.file = name
        return try store.operations.jobs(filter, limit: 1)
    }

    private func unknown(_ jobs: [JobRecord]) -> ExitCode {
        let name = FileName.escaped(sticker)
        if let job = jobs.first {
            let why = job.refusal.map { ": \($0.sentence); \($0.remedy)" } ?? ""
            let isOfWords = job.refusal?.reason == .invalidWords
            let what = isOfWords ? "does not count in full" : "did not become a sticker"
            complain(
                FileName.escaped(
                    "\(name) \(what)\(why); see: \(stickerctl: "show \(job.id)")"))
        } else {
            complain("nothing is known of \(name); see: \(stickerctl: "jobs --since 1h")")
        }
        return ExitCode(1)
    }
}
