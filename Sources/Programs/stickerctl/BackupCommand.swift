import ArgumentParser
import FoundationEssentials
import Glibc
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerValues

/// `stickerctl backup`: copies everything that makes up a library.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies the library into a new folder.",
        discussion: """
            The daemon may go on working. The copy has the database with all ids, words and \
            removed stickers, and the configuration. Drops are not copied: pictures are made \
            again from them, or with --out not at all.
            """)

    @OptionGroup var shared: SharedOptions

    @Argument(help: "A new folder, or an empty one.")
    var folder: String

    @Flag(help: "Copy the published pictures, too.")
    var out = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let file = try shared.loadFolders().file
        let folder = CommandLine.absolutePath(folder)
        try complaining {
            // Root may read files that the owner of the state folder may not.
            let configuration = try file.path.map { path in
                let bytes = try Descriptor(path, O_RDONLY).readToEnd(path: path)
                return (bytes: bytes, path: path)
            }
            try Folders.check(folder, isOutside: file.configuration)
            try StateFolder.make(folder, forOwnerOf: [file.configuration.state])
            let store = try shared.openStore(.reader)
            let record = try Backup(in: folder).make(
                of: store, configuration: configuration,
                out: out ? file.configuration.out : nil)
            if json { return try printJSON(record) }
            tell(record, folder)
            guard !out else { return }
            let lost = try store.stickersWithoutFile(in: file.configuration.drops)
            guard let named = lost.namedWithoutFile else { return }
            print("\(named) in the drops: only --out saves their pictures")
        }
    }

    private func tell(_ record: BackupRecord, _ folder: String) {
        print(
            "\(folder): database of \(record.database.bytes.grouped) B with "
                + "\(record.stickers.counted("sticker", "stickers")), "
                + record.categories.counted("category", "categories") + ", "
                + record.removed.counted("removed sticker", "removed stickers"))
        print(record.configuration.map { "configuration: \($0)" } ?? "configuration: the defaults")
        guard let pictures = record.pictures else {
            print("pictures: none, they are made again from the drops; --out copies them, too")
            return
        }
        let count = pictures.files.counted("file", "files")
        print("pictures: \(count) of \(pictures.bytes.grouped) B")
        if !pictures.missing.isEmpty {
            print("missing or damaged below out: \(pictures.missing.count.grouped)")
        }
    }
}

extension CommandLine {
    /// A given path, made absolute.
    static func absolutePath(_ path: String) -> String {
        ConfigurationFile.absolute(path, from: FileManager.default.currentDirectoryPath)
    }

    /// The bytes of a given file.
    ///
    /// - Throws: exit code 1, after a complaint, if it cannot be read.
    static func bytes(of path: String) throws -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            complain("\(FileName.escaped(path)) cannot be read: \(FileTrouble(error))")
            throw ExitCode(1)
        }
    }
}
