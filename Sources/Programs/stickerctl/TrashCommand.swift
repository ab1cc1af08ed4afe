import ArgumentParser
import StickerConfiguration
import StickerReports
import StickerStore
import StickerValues

/// `stickerctl trash`: removed stickers that can be restored.
struct TrashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: "Lists removed stickers and restores them.",
        discussion: """
            A removed sticker is kept for publish.trashDays. A restored one has its id and files \
            again, and nothing is encoded; its source file stays missing until a file with the \
            same bytes is dropped, under any name.
            """,
        subcommands: [List.self, Restore.self, Put.self], defaultSubcommand: List.self)

    /// `stickerctl trash list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists removed stickers, newest first.")

        @OptionGroup var shared: SharedOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            let trash = try shared.openStore(.reader).operations.trash()
            if json { return try printJSON(["trash": trash]) }
            for sticker in trash {
                let file = sticker.file ?? "without a file"
                let until = sticker.keptUntil.map { ", kept until \($0.asDate)" } ?? ""
                let line =
                    "\(sticker.sticker)  \(sticker.category)  \(file)  "
                    + "removed \(sticker.removedAt.asDate)\(until)"
                for part in line.wrapped(indent: 2) { print(part) }
            }
            if trash.isEmpty { print("the trash is empty") }
        }
    }

    /// `stickerctl trash restore`.
    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Publishes removed stickers again, under their ids and without encoding.")

        @OptionGroup var shared: SharedOptions
        @OptionGroup var choice: TrashChoice

        func run() throws {
            guard !shared.personal else {
                complain("users' deletions are final; the user can upload the picture again")
                throw ExitCode(1)
            }
            try choice.carryOut("restored", shared) { try $0.operations.restore($1) }
        }
    }

    /// `stickerctl trash put`.
    struct Put: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "put",
            abstract: "Removes stickers that have no file.",
            discussion: "To remove others, remove their file.")

        @OptionGroup var shared: SharedOptions
        @OptionGroup var choice: TrashChoice

        func run() throws {
            try choice.carryOut("removed", shared) { try $0.operations.putInTrash($1) }
        }
    }
}

/// The stickers for a command.
struct TrashChoice: ParsableArguments {
    @Argument(help: "The ids of stickers.")
    var stickers: [String]

    /// Calls `body` for each sticker and prints the result; ends with 1 if one was left unchanged.
    func carryOut(
        _ done: String, _ shared: SharedOptions,
        _ body: (LibraryStore, StickerID) throws -> TrashOutcome
    ) throws {
        let store = try shared.openStore(.tool)
        var isAllDone = true
        for sticker in stickers {
            let name = FileName.escaped(sticker)
            let outcome = try body(store, StickerID(rawValue: sticker))
            switch outcome {
            case .done(let category): print("\(done) \(name) in \(category)")
            default:
                let heir = try store.operations.story(of: sticker).flatMap { story in
                    story.formerSticker == nil ? nil : story.sticker
                }
                complain("\(name): " + (heir.map { "\($0) took its place" } ?? outcome.reason))
            }
            if case .done = outcome { continue }
            isAllDone = false
        }
        guard isAllDone else { throw ExitCode(1) }
    }
}

extension TrashOutcome {
    /// Why nothing was done.
    fileprivate var reason: String {
        switch self {
        case .done: ""
        case .unknown: "there is no such sticker; see: \(stickerctl: "trash list")"
        case .published: "it is published"
        case .hasFile: "it has a file; remove the file"
        case .cleared: "its pictures are no longer kept (publish.trashDays); drop its file again"
        }
    }
}
