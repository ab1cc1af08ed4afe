import ArgumentParser
import FoundationEssentials
import Glibc
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerValues

/// `stickerctl restore`: restores a library from a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Creates a library from a backup, where there is none.",
        discussion: """
            The daemon must be stopped. If the backup has no pictures, put the drops back before you \
            start it: stickers are not listed until they are made again. The configuration goes \
            where it was, or where --config says.
            """)

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The folder that 'backup' made.")
    var folder: String

    @Flag(help: "Keep an existing configuration.")
    var keepConfig = false

    @Flag(help: "Replace an existing configuration; it is put aside as FILE.old.")
    var replaceConfig = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard keepConfig, replaceConfig else { return }
        throw ValidationError("give --keep-config or --replace-config, not both")
    }

    func run() throws {
        try complaining {
            let restore = try Restore(from: CommandLine.absolutePath(folder))
            let place = try ConfigurationPlace(self, restore)
            let target = place.file.configuration
            try StateFolder.make(target.state, forOwnerOf: [target.out] + target.dropPaths)
            let losses = try StateFolder.asOwner(of: target.state) {
                try restore.run(into: target)
            }
            // Last, so that a failed restore changes nothing.
            let isReplaced = try place.put()
            let report = Report(
                record: restore.record, configuration: place.file.path, damaged: losses.damaged,
                withoutFile: losses.withoutFile, isConfigurationReplaced: isReplaced)
            if json { try printJSON(report) } else { report.tell() }
        }
    }

    private struct Report: Encodable {
        let record: BackupRecord
        let configuration: String?
        let damaged: [String]
        let withoutFile: [StickerID]
        let isConfigurationReplaced: Bool

        func tell() {
            print(
                "restored as of \(record.createdAt.asDate): "
                    + record.stickers.counted("sticker", "stickers") + " in "
                    + record.categories.counted("category", "categories"))
            if let configuration {
                let old = isConfigurationReplaced ? "; the one before is \(configuration).old" : ""
                print("configuration: \(configuration)\(old)")
            }
            if let pictures = record.pictures {
                let whole = pictures.files - damaged.count
                print("pictures: \(whole.counted("file", "files"))")
            } else {
                print("pictures: none, they are made again from the drops")
            }
            for path in damaged.prefix(5) { print("damaged in the backup, made again: \(path)") }
            if let lost = withoutFile.namedWithoutFile {
                print("\(lost) in the drops now; a sticker without its file is not made again")
                print("put the drops back, or restore a backup with --out, then start stickerd")
            } else {
                print("start stickerd: it publishes the manifests")
            }
        }
    }
}

extension [StickerID] {
    /// `2 stickers have no file (a, b)`; `nil` if it is empty.
    var namedWithoutFile: String? {
        guard !isEmpty else { return nil }
        let names = prefix(3).map(\.rawValue).joined(separator: ", ")
        let more = count > 3 ? " and \((count - 3).grouped) more" : ""
        return "\(count.counted("sticker has", "stickers have")) no file (\(names)\(more))"
    }
}

/// The place of a restored library's configuration, and the work for it.
private struct ConfigurationPlace {
    /// The configuration that will be in force.
    let file: ConfigurationFile
    private let saved: [UInt8]?
    private let present: [UInt8]?
    private let isKept: Bool

    init(_ command: RestoreCommand, _ restore: Restore) throws {
        let path = try Self.path(command, restore.record)
        saved = try restore.configuration()
        isKept = command.keepConfig
        guard let path else {
            present = nil
            file = try command.shared.namedFile()
            return
        }
        let exists = access(path, F_OK) == 0
        present = exists ? try Descriptor(path, O_RDONLY).readToEnd(path: path) : nil
        if let present, let saved, present != saved, !isKept, !command.replaceConfig {
            throw ConfigurationDiffers(path: path)
        }
        let bytes = (isKept ? present ?? saved : saved ?? present) ?? Array("{}".utf8)
        file = try ConfigurationFile.parse(bytes, at: path)
    }

    /// The place of the configuration. Anyone who may write the backup may have named any file, so root requires the
    /// operator's word unless it is the usual one.
    private static func path(_ command: RestoreCommand, _ record: BackupRecord) throws -> String? {
        if let named = command.shared.config { return CommandLine.absolutePath(named) }
        guard let saved = record.configuration, geteuid() == 0, saved != installedPath
        else { return record.configuration }
        throw ConfigurationUnnamed(path: saved)
    }

    private static let installedPath = "/etc/stickerd/config.json"

    /// Puts the saved configuration in place.
    ///
    /// - Returns: whether an existing one was moved aside.
    func put() throws -> Bool {
        guard let saved, let path = file.path, saved != present, !(isKept && present != nil)
        else { return false }
        try SystemCall.makeFolders(SystemCall.parentFolder(of: path), mode: 0o755)
        if let present { try AtomicFile.replace("\(path).old", with: present) }
        try AtomicFile.replace(path, with: saved)
        return present != nil
    }
}

/// The configuration in place is not the one in the backup.
private struct ConfigurationDiffers: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "\(path) differs from the backup: pass --replace-config to take that of the backup, "
            + "--keep-config to keep the existing one"
    }
}

/// Root is asked to write a configuration in an unusual place.
private struct ConfigurationUnnamed: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "the configuration was \(path); if it belongs there again, pass --config \(path)"
    }
}
