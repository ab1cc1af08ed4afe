import ArgumentParser
import StickerExport
import StickerModel
import StickerPacks
import StickerStore

/// `stickerctl lint CATEGORY`: what platforms would refuse about a category's packs, before they do.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Says what platforms would refuse about a category.",
        discussion: """
            Judges what is published, and changes nothing. Faults keep a pack from being made, or \
            leave it as it last was; warnings do not. Warnings about pixels are those of the time \
            when a sticker was made. Ends with 3 if there is a fault.
            """)

    @OptionGroup var shared: SharedOptions

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "A platform, or all; else those of sticker.packs.", valueName: "platform"))
    var platform: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "A category, by id.")
    var category: String

    func validate() throws {
        let names = Platforms.all.map(\.platform.rawValue)
        guard let platform, platform != "all" else { return }
        guard names.contains(platform) else {
            throw ValidationError("packs can be made for: \(names.joined(separator: ", "))")
        }
    }

    func run() throws {
        let configuration = try shared.loadFolders().file.configuration
        let store = try shared.openStore(.reader)
        let reports: [LintReport]
        let unjudged: Int
        do {
            let names = try store.names(of: CategoryID(rawValue: category))
            let source = try PublishedTree(configuration).known(names)
            unjudged = source.stickers.count { $0.appearance == nil }
            let books = PackBooks(store, PackShelf(out: configuration.out))
            let pictures = PackPictures(store, configuration)
            reports = try wanted(configuration.settings(of: names).packs).map { platform in
                var source = source
                try pictures.find(in: &source, names, for: platform)
                return LintReport(platform.platform, try books.plan(source, for: platform))
            }
        } catch {
            complain("\(error)")
            throw ExitCode(1)
        }
        if json {
            try printJSON(["platforms": reports])
        } else {
            for report in reports { for line in report.lines { print(line) } }
            if unjudged > 0 {
                let count = unjudged.counted("sticker was", "stickers were")
                print("\(count) made before pixels were judged; stickerctl redo makes them again")
            }
        }
        if reports.contains(where: { !$0.ready }) { throw ExitCode(3) }
    }
}

extension LintCommand {
    /// The platforms to judge for: those that packs are kept for, if nobody named one; and if none are kept, all.
    private func wanted(_ kept: [PackPlatform]) -> [any PackMaking] {
        switch platform {
        case nil where !kept.isEmpty: Platforms.all.filter { kept.contains($0.platform) }
        case nil, "all": Platforms.all
        case let name: Platforms.all.filter { $0.platform.rawValue == name }
        }
    }
}
