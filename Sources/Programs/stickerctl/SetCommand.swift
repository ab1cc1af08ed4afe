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
        let both = cleared.filter { key in changes.contains { $0.key == key } }
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
        guard let file = WordsFile(key) else {
            complain("\(shown): such a name can have no side file; rename the picture")
            throw ExitCode(1)
        }
        do throws(WordsFileError) {
            _ = try file.change(startingWith: kept) { members throws(WordsFileError) in
                for key in cleared where members[key] == nil { throw .absent(key) }
                return changes.map { ($0.key, $0.value) } + cleared.map { ($0, nil) }
            }
        } catch {
            explain(error, shown)
            throw ExitCode(1)
        }
        print("wrote \(shown)")
    }

    private func explain(_ error: WordsFileError, _ shown: String) {
        switch error {
        case .unreadable, .changed, .contested:
            complain("\(shown) cannot be read; nothing was written")
        case .faulty(let faults):
            for fault in faults.faults { complain("\(shown): \(fault)") }
            complain("correct that first; nothing was written")
        case .wrong(let faults):
            for fault in faults.faults { complain("\(fault.fault)") }
            complain("nothing was written")
        case .tooLarge:
            let limit = (isCategory ? SideFile.category : .sticker).bytesMax
            complain("\(shown) would have more than \(limit.grouped) B; nothing was written")
        case .absent(let key):
            complain("\(shown) says nothing about \(FileName.escaped(key))")
        case .unwritable(let error):
            complain(
                "\(error); run it as a user who may write there, and name the picture by its path")
        }
    }

    private var changes: [(key: String, value: JSONValue)] {
        let emojis = emojis.joined().filter { !$0.isWhitespace }.map { String($0) }
        let texts = [
            ("title", title), ("description", description),
            ("accessibilityText", accessibilityText), ("rating", rating), ("tintMode", tintMode),
            ("publisher", publisher), ("licence", licence),
        ]
        let lists = [("emojis", emojis), ("keywords", keywords)].filter { !$0.1.isEmpty }
        var changes = texts.compactMap { key, text in text.map { (key, JSONValue.string($0)) } }
        changes += lists.map { ($0.0, .array($0.1.map(JSONValue.string))) }
        if let order { changes.append(("order", .integer(order))) }
        if let pinned { changes.append(("pinned", .bool(pinned))) }
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
}
