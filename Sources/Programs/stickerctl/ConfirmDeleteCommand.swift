import ArgumentParser
import StickerConfiguration
import StickerStore
import StickerValues

/// `stickerctl confirm-delete`: allows a suspiciously large deletion.
struct ConfirmDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm-delete",
        abstract: "Allows a deletion that is held because it is large.",
        discussion: """
            If more than 10 stickers and more than a quarter of a category or drop vanish at once, \
            or a drop becomes empty, the stickers stay until their files are back or this command \
            allows it. Without a name it lists held deletions. It also takes a drop that is no \
            longer listed, or that another folder has replaced.
            """)

    @OptionGroup var shared: SharedOptions

    @Argument(help: "A category by its id, or a drop by its path.")
    var names: [String] = []

    @Flag(help: "Confirm all held deletions.")
    var all = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if all, !names.isEmpty { throw ValidationError("--all takes no names") }
    }

    func run() throws {
        let configuration = try shared.load().configuration
        let store = try shared.openStore(names.isEmpty && !all ? .reader : .tool)
        guard !names.isEmpty || all else { return try list(store.catalog.deletionHolds()) }
        var stickers = 0
        if all { stickers = try store.catalog.confirmDeletions(of: nil) }
        for name in names {
            guard let confirmed = try confirm(name, configuration, store) else {
                complain(
                    "nothing of \(FileName.escaped(name)) is held; see: \(stickerctl: "confirm-delete")"
                )
                throw ExitCode(1)
            }
            stickers += confirmed
        }
        if json { return try printJSON(Report(confirmed: stickers)) }
        guard stickers > 0 || !all else { return print(Self.nothing) }
        print(stickers.counted("sticker leaves", "stickers leave"))
        guard stickers > 0 else { return }
        print("trash restore brings them back, by the ids of: \(stickerctl: "trash list")")
    }

    /// How many stickers are removed; `nil` if the name is unknown.
    private func confirm(
        _ name: String, _ configuration: Configuration, _ store: LibraryStore
    ) throws -> Int? {
        let held = try store.catalog.confirmDeletions(of: name)
        if held > 0 { return held }
        if try store.sources.unlistedDrops(configuration.dropPaths).contains(where: {
            $0.path == name
        }) {
            return try store.catalog.removeDrop(name)
        }
        guard configuration.dropPaths.contains(name) else { return nil }
        return try store.catalog.acceptFolder(ofDrop: name)
    }

    private func list(_ holds: [DeletionHold]) throws {
        if json { return try printJSON(["holds": holds]) }
        for line in holds.flatMap(\.lines) { print(line) }
        if holds.isEmpty { print(Self.nothing) }
    }

    private static let nothing = "no deletion is held"

    private struct Report: Encodable {
        let confirmed: Int
    }
}
