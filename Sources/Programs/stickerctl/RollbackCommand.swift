import ArgumentParser
import StickerConfiguration
import StickerStore
import StickerValues

/// `stickerctl rollback`: goes back to the previous release.
struct RollbackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Goes back to the release before the upgrade.",
        discussion: """
            Lists the effects, and changes nothing without --yes. In this order: stop the daemon; \
            rollback --yes; install the older package. Stickers of the time of the upgrade keep \
            their ids and files and are not encoded. The copy of the database is kept for 30 days.
            """)

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Go back; the daemon must be stopped.")
    var yes = false

    @Flag(
        help:
            "Never go back: remove the copy of the database, and with the next cleaning its files.")
    var forget = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard yes, forget else { return }
        throw ValidationError("give --yes or --forget, not both")
    }

    func run() throws {
        // From here on as the owner of the state folder.
        let store = try shared.openStore(.reader)
        try complaining {
            if forget { return try tellForgotten(store.forgetEarlierDatabase(onlyExpired: false)) }
            try store.close()
            let (file, _) = try shared.loadFolders()
            let rollback = Rollback(of: file.configuration)
            if yes { try goBack(rollback) } else { try list(rollback.plan()) }
        }
    }

    private func list(_ plan: RollbackPlan?) throws {
        if json { return try printJSON(["plan": plan]) }
        guard let plan else { return print(Self.nothing) }
        for line in plan.lines { print(line) }
        print("nothing was changed: stop stickerd, then give --yes")
    }

    private func goBack(_ rollback: Rollback) throws {
        guard let outcome = try rollback.run() else {
            complain(Self.nothing)
            throw ExitCode(1)
        }
        if json { return try printJSON(outcome) }
        for line in outcome.plan.lines { print(line) }
        print("the database is that of \(outcome.plan.to) again; the newer one is put aside:")
        print("  \(outcome.newerDatabase)")
        print("now install stickerd \(outcome.plan.to): this one would upgrade it again")
    }

    private func tellForgotten(_ earlier: EarlierDatabase?) throws {
        if json { return try printJSON(["forgotten": earlier?.record]) }
        print(earlier.map { "removed \($0.path)" } ?? Self.nothing)
    }

    private static let nothing =
        "there is nothing to go back to: no upgrade changed this database in the last 30 days"
}

extension RollbackPlan {
    /// The consequences of going back, a line for each affected sticker.
    fileprivate var lines: [String] {
        var lines = [
            "from \(Stickerd.version) to \(to), whose database was copied \(copiedAt.asDate)",
            kept.counted("sticker keeps its id and", "stickers keep their ids and")
                + " files; nothing of that is encoded",
        ]
        lines += came.map { "came since: \($0.name), \(($0.fate ?? .made).shown(to))" }
        lines += renamed.map { sticker in
            let fate = sticker.fate.map { ", but \($0.shown(to))" } ?? ""
            return "renamed since: \(sticker.name), was \(sticker.formerFile ?? "")\(fate)"
        }
        lines += replaced.map { "replaced since: \($0.name), made again of the file as it is now" }
        lines += removed.map { "removed since: \($0.name), stays removed" }
        lines += categories.map { category in
            let former = category.formerFolder.map { ", was \($0)" } ?? " is new"
            return "category \(category.category): folder \(category.folder)\(former)"
        }
        lines += missing.map { "missing below out, made again: \($0)" }
        if !unknownKeys.isEmpty {
            lines.append(
                "\(to) does not know these keys and refuses a configuration with them: "
                    + unknownKeys.joined(separator: ", "))
        }
        return lines
    }
}

extension RollbackPlan.Sticker {
    fileprivate var name: String {
        "\(sticker) in \(category)" + (file.map { ", \($0)" } ?? "")
    }
}

extension RollbackPlan.Fate {
    fileprivate func shown(_ release: String) -> String {
        switch self {
        case .made: "keeps its id; \(release) makes it again"
        case .unread: "not read by \(release); its id stays its own"
        case .gone: "\(release) has no file for it; its id stays taken"
        }
    }
}
