import ArgumentParser
import Foundation
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerValues

/// `stickerctl set STICKER`: changes the words of a sticker or a category, in its side file.
struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets words of a sticker or a category.",
        discussion: """
            Writes the side file FILE.sticker.json beside the picture, or category.json in the \
            folder of the category, whole or not at all; other words in it stay. A running \
            daemon publishes it at once.
            """)

    @OptionGroup var shared: SharedOptions

    @Flag(name: .customLong("category"), help: "The name is that of a category.")
    var isCategory = false

    @Option(help: "The title.")
    var title: String?

    @Option(help: "The description of a category.")
    var description: String?

    @Option(name: .customLong("emoji"), help: "One or more emoji; may be repeated.")
    var emojis: [String] = []

    @Option(
        name: .customLong("keyword"), help: "A word to find the sticker by; may be repeated.")
    var keywords: [String] = []

    @Option(help: "The text for screen readers.")
    var accessibilityText: String?

    @Option(help: "The place in the category, as a number in front of the file's name.")
    var order: Int?

    @Flag(inversion: .prefixedNo, help: "Show the sticker before others.")
    var pinned: Bool?

    @Option(help: "The audience: g, pg, pg-13 or r.")
    var rating: String?

    @Option(help: "How apps may colour the sticker: none, solid or colorized.")
    var tintMode: String?

    @Option(help: "The publisher.")
    var publisher: String?

    @Option(help: "The terms under which it may be used.")
    var licence: String?

    @Option(
        name: .customLong("clear"),
        help: ArgumentHelp("Remove this key; may be repeated.", valueName: "key"))
    var cleared: [String] = []

    @Argument(help: "A sticker, by id, or its file; or a category, by id.")
    var name: String

    func validate() throws {
        guard !changes.isEmpty || !cleared.isEmpty else {
            throw ValidationError("name something to set, for example: --title \"Happy cat\"")
        }
        let both = cleared.filter { changes[$0] != nil }
        guard both.isEmpty else {
            throw ValidationError("\(both.joined(separator: ", ")): is set and cleared at once")
        }
    }

    func run() throws {
        let (key, kept) = try sideFile()
        let path = "\(key.drop)/\(FileName.display(key.relativePath))"
        let shown = FileName.escaped(path)
        if let shipped = ShippedTemplates.folder(), path.hasPrefix("\(shipped)/") {
            complain(
                "\(shown): this folder is stickerd's, and a newer release replaces it; set it in "
                    + "a category.json in the folder smart of a drop of yours")
            throw ExitCode(1)
        }
        guard FileName.isText(key.relativePath), let file = SideFile(key) else {
            complain("\(shown): such a name can have no side file; rename the picture")
            throw ExitCode(1)
        }
        var members = try present(at: path, file) ?? kept.members
        for key in changes.keys.sorted() { members[key] = changes[key] }
        for key in cleared {
            guard members.removeValue(forKey: key) != nil else {
                complain("\(shown) says nothing about \(FileName.escaped(key))")
                throw ExitCode(1)
            }
        }
        let bytes =
            [UInt8](
                try JSONSerialization.data(
                    withJSONObject: members,
                    options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])) + [10]
        do throws(SideFileError) {
            _ = try file.words(in: bytes)
        } catch {
            for fault in error.faults { complain("\(fault.fault)") }
            complain("nothing was written")
            throw ExitCode(1)
        }
        guard bytes.count <= file.bytesMax else {
            complain(
                "\(shown) would have more than \(file.bytesMax.grouped) B; nothing was written")
            throw ExitCode(1)
        }
        do {
            try AtomicFile.replace(path, with: bytes)
        } catch {
            complain(
                "\(error); run it as a user who may write there, and name the picture by its path")
            throw ExitCode(1)
        }
        print("wrote \(shown)")
    }

    private var changes: [String: Any] {
        var changes: [String: Any] = [:]
        changes["title"] = title
        changes["description"] = description
        if !emojis.isEmpty {
            changes["emojis"] = emojis.joined().filter { !$0.isWhitespace }.map { String($0) }
        }
        if !keywords.isEmpty { changes["keywords"] = keywords }
        changes["accessibilityText"] = accessibilityText
        changes["order"] = order
        changes["pinned"] = pinned
        changes["rating"] = rating
        changes["tintMode"] = tintMode
        changes["publisher"] = publisher
        changes["licence"] = licence
        return changes
    }

    /// The place of the side file, and its contents under an earlier name of the picture. The database, which only
    /// operators may read, is not needed for a picture named by its path.
    private func sideFile() throws -> (SourceKey, StickerWords?) {
        if isCategory {
            let category = CategoryID(rawValue: name)
            guard let file = try shared.openStore(.reader).catalog.wordsFile(of: category) else {
                throw unknown("category with a folder")
            }
            return (file, nil)
        }
        // A path means that very file, even if others have its name.
        if let path = picture(at: name) {
            let known =
                shared.canReadStore
                ? try shared.openStore(.reader).operations.pictures(of: path) : []
            return (SideFile.beside(path), known.first?.keptWords)
        }
        let store = try shared.openStore(.reader)
        let known = try store.operations.pictures(of: store.standing(name))
        guard let picture = known.first else { throw unknown("sticker with a file") }
        guard known.count == 1 else {
            for other in known { complain("\(other.sticker)  \(other.key.display)") }
            complain("name one of these by its id")
            throw ExitCode(1)
        }
        return (SideFile.beside(picture.key), picture.keptWords)
    }

    private func unknown(_ what: String) -> ExitCode {
        complain("there is no \(what) named \(FileName.escaped(name)); see: \(stickerctl: "jobs")")
        return ExitCode(1)
    }

    private func picture(at name: String) -> SourceKey? {
        let folder = URL(filePath: FileManager.default.currentDirectoryPath + "/")
        let path = URL(filePath: name, relativeTo: folder).standardizedFileURL
        let key = SourceKey(
            drop: path.deletingLastPathComponent().path, directory: [],
            name: Array(path.lastPathComponent.utf8))
        let isThere = FileManager.default.fileExists(atPath: path.path)
        return isThere && FileKind.of(key) == .picture ? key : nil
    }

    /// The current contents of the file; `nil` if there is none.
    private func present(at path: String, _ file: SideFile) throws -> [String: Any]? {
        let folder = SystemCall.parentFolder(of: path)
        let key = SourceKey(
            drop: folder, directory: [], name: Array(path.utf8.dropFirst(folder.utf8.count + 1)))
        let bytes: [UInt8]
        switch SourceReader.read(key, expected: nil, bytesMax: file.bytesMax) {
        case .vanished: return nil
        case .read(let source, _, _): bytes = source.withUnsafeBytes { Array($0) }
        default:
            complain("\(FileName.escaped(path)) cannot be read; nothing was written")
            throw ExitCode(1)
        }
        do throws(SideFileError) {
            _ = try file.words(in: bytes)
        } catch {
            for fault in error.faults { complain("\(FileName.escaped(path)): \(fault)") }
            complain("correct that first; nothing was written")
            throw ExitCode(1)
        }
        return try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    }
}

extension StickerWords? {
    /// The words as members of a side file.
    fileprivate var members: [String: Any] {
        get throws {
            guard var words = self else { return [:] }
            (words.place, words.listedAs) = (nil, nil)
            let data = try JSONEncoder().encode(words)
            return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        }
    }
}
