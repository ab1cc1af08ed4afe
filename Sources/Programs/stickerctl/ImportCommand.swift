import ArgumentParser
import Glibc
import StickerConfiguration
import StickerPackFiles
import StickerPacks
import StickerSystem
import StickerValues

/// `stickerctl import PATH`: converts foreign packs into categories of a drop.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Unpacks packs into a drop.",
        discussion: """
            Reads .wastickers archives, folders of WhatsApp apps for Android and iOS, packs of \
            Matrix and of maunium's sticker picker with their pictures beside them, Tencent's face \
            bundles, exports for Discord, Misskey, Slack, Telegram and Zulip, and folders with \
            title.txt, author.txt, emoji.txt and cover.png; each also in a ZIP or tar.gz. \
            A pack becomes a folder of the drop, whole or not at all; an existing folder is never \
            changed. The daemon then makes stickers of it. Ends with 3 if something was left out.
            """)

    @OptionGroup var shared: SharedOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The drop; the only one of the configuration.", valueName: "folder"))
    var drop: String?

    @Option(
        name: .customLong("category"),
        help: ArgumentHelp("The name of the category's folder.", valueName: "name"))
    var category: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "A folder or an archive.")
    var path: String

    func run() throws {
        let configuration = try shared.loadFolders().file.configuration
        let source = CommandLine.absolutePath(path)
        guard access(source, F_OK) == 0 || errno != ENOENT else {
            complain("there is no \(FileName.escaped(source))")
            throw ExitCode(1)
        }
        try complaining {
            let drop = try target(in: configuration)
            let limits = ImportLimits(pictureBytesMax: configuration.limits.sourceBytesMax)
            let report = try Importer(drop: drop, limits: limits)
                .run(source, as: category)
            if json { try printJSON(report) } else { tell(report) }
            guard !report.categories.isEmpty else { throw ExitCode(1) }
            if !report.leftOut.isEmpty { throw ExitCode(3) }
        }
    }

    /// The drop for the new categories.
    private func target(in configuration: Configuration) throws -> String {
        let drops = configuration.ownDropPaths
        guard let drop else {
            guard let only = drops.first, drops.count == 1 else {
                throw ImportFault(
                    .severalDrops, nil, "the configuration has several drops",
                    measured: drops.joined(separator: ", "), limit: "1 drop",
                    remedy: "pass --to with one of them")
            }
            return only
        }
        let target = SystemCall.realPath(CommandLine.absolutePath(drop))
        guard let named = drops.first(where: { SystemCall.realPath($0) == target }) else {
            throw ImportFault(
                .notADrop, drop, "it is not a drop, so it would not become stickers",
                limit: drops.joined(separator: ", "),
                remedy: "pass --to with a drop, or add it to drops in config.json first")
        }
        return named
    }

    private func tell(_ report: ImportReport) {
        for category in report.categories {
            let cover = category.cover ? " and its cover" : ""
            let count = category.stickers.counted("picture", "pictures")
            print("\(FileName.escaped(category.folder)): \(count)\(cover), from \(category.form)")
        }
        var rules: [ImportFault.Rule] = []
        for fault in report.leftOut where !rules.contains(fault.rule) { rules.append(fault.rule) }
        for rule in rules {
            let alike = report.leftOut.filter { $0.rule == rule }
            for fault in alike.prefix(Self.shownAtMost) {
                for line in "  left out  \(fault)".wrapped(indent: 12) { print(line) }
            }
            let more = alike.count - Self.shownAtMost
            if more > 0 {
                print("            and \(more.grouped) more like these; --json lists all")
            }
        }
        let stickers = report.categories.reduce(0) { $0 + $1.stickers }
        guard stickers > 0 else { return print("nothing was imported") }
        print("imported into \(FileName.escaped(report.drop)); stickerd makes stickers of it")
    }

    /// The most lines per rule.
    private static let shownAtMost = 3
}

extension ImportFault.Rule {
    /// There are several drops to choose from.
    fileprivate static let severalDrops: ImportFault.Rule = "several-drops"
    /// No daemon watches the folder.
    fileprivate static let notADrop: ImportFault.Rule = "not-a-drop"
}
