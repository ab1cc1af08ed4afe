import ArgumentParser
import StickerConfiguration
import StickerStore
import StickerValues

/// `stickerctl pause`: stops further jobs from starting.
struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Starts no more jobs, of a category or at all.",
        discussion: "Running jobs finish, and published stickers stay. A pause outlives restarts.")

    @OptionGroup var shared: SharedOptions
    @OptionGroup var scope: PauseScope

    func run() throws { try scope.set(paused: true, shared) }
}

/// `stickerctl resume`: lets paused jobs start again.
struct ResumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Lets paused jobs continue, of a category or all.")

    @OptionGroup var shared: SharedOptions
    @OptionGroup var scope: PauseScope

    func run() throws { try scope.set(paused: false, shared) }
}

/// The scope of a pause.
struct PauseScope: ParsableArguments {
    @Argument(help: "A category, by id; everything unless given.")
    var category: String?

    @Flag(help: "Print JSON.")
    var json = false

    func set(paused: Bool, _ shared: SharedOptions) throws {
        let store = try shared.openStore(.tool)
        let id = category.map { CategoryID(rawValue: $0) }
        let wasPaused = try store.operations.pauses().has(id)
        guard try store.operations.setPaused(paused, category: id) else {
            complain(
                "there is no category \(FileName.escaped(category ?? "")); see: \(stickerctl: "usage")"
            )
            throw ExitCode(1)
        }
        let pauses = try store.operations.pauses()
        if json { return try printJSON(pauses) }
        if !paused { print(Self.ending(wasPaused, isAnyLeft: !pauses.lines.isEmpty)) }
        for line in pauses.lines { print(line) }
    }

    private static func ending(_ wasPaused: Bool, isAnyLeft: Bool) -> String {
        wasPaused
            ? "resumed; " + (isAnyLeft ? "still paused:" : "nothing is paused any more")
            : "that was not paused; " + (isAnyLeft ? "these are:" : "nothing is")
    }
}

extension Pauses {
    /// Whether this category itself is paused, or without one, everything.
    fileprivate func has(_ category: CategoryID?) -> Bool {
        category.map(categories.contains) ?? all
    }

    /// One line for each pause, with the command that ends it.
    var lines: [String] {
        var lines: [String] = []
        if all { lines += entry("paused", "everything; go on: \(stickerctl: "resume")") }
        for category in categories {
            lines += entry("paused", "\(category); go on: \(stickerctl: "resume \(category)")")
        }
        return lines
    }
}
