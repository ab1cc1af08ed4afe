import ArgumentParser
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerValues

/// `stickerctl rebuild`: creates a new database from the published files.
struct RebuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Replaces a damaged database by one made from the published manifests.",
        discussion: """
            The daemon must be stopped. The old database is put aside, not removed. Stickers keep \
            their ids and stay published; the next start checks every file again. Pauses and the \
            history of jobs are lost.
            """)

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let configuration = try shared.load().configuration
        try complaining {
            try Rebuild.demandPublished(configuration.out)
            try StateFolder.becomeOwner(of: configuration.state)
            try SystemCall.makeFolders(configuration.state, mode: 0o700)
            let lock = try StateLock.take(state: configuration.state)
            defer { withExtendedLifetime(lock) {} }
            let path = "\(configuration.state)/\(LibraryStore.fileName)"
            let aside = try Rebuild.setAside(path)
            let store = try LibraryStore(path: path, policy: StorePolicy(configuration))
            let rebuilt = try Rebuild.fill(
                store, out: configuration.out, drops: configuration.dropPaths,
                shipped: configuration.shippedDrop)
            try store.close()
            if json { return try printJSON(Report(rebuilt, aside: aside)) }
            tell(rebuilt, aside)
        }
    }

    private func tell(_ rebuilt: Rebuilt, _ aside: String?) {
        if let aside { print("the old database is \(aside)") }
        for fault in rebuilt.unreadable { print("not read: \(fault)") }
        for folder in rebuilt.skippedFolders { print("left out: \(folder)") }
        print(
            "stickers that keep their ids: \(rebuilt.stickers.grouped), "
                + "categories: \(rebuilt.categories.grouped), "
                + "ids of removed stickers that stay taken: \(rebuilt.removed.grouped)")
        if rebuilt.continued > 0 {
            let files = rebuilt.continued.counted("of them has a file", "of them have files")
            print("\(files) of another format now, which the daemon makes the next version")
        }
        guard rebuilt.withoutFile > 0 else { return }
        let have = rebuilt.withoutFile.counted("of them no longer has", "of them no longer have")
        print("\(have) a file and will be removed")
    }

    private struct Report: Encodable {
        let categories: Int
        let stickers: Int
        let continued: Int
        let withoutFile: Int
        let removed: Int
        let unreadable: [String]
        let skippedFolders: [String]
        let oldDatabase: String?

        init(_ rebuilt: Rebuilt, aside: String?) {
            categories = rebuilt.categories
            stickers = rebuilt.stickers
            continued = rebuilt.continued
            withoutFile = rebuilt.withoutFile
            removed = rebuilt.removed
            unreadable = rebuilt.unreadable
            skippedFolders = rebuilt.skippedFolders
            oldDatabase = aside
        }
    }
}
