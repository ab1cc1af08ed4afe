import ArgumentParser
import FoundationEssentials
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerValues
import StickerWorkers

/// `stickerctl watermark`: the marks in the configuration file.
struct WatermarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watermark", abstract: "Lists, adds and removes the marks on stickers.",
        discussion: """
            Changes sticker.watermarks in the configuration file, or the list of a category, whole or not \
            at all; the rest stays as written. Reload stickerd to apply it.
            """,
        subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

    /// `stickerctl watermark list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the marks, bottom first.")

        @OptionGroup var shared: SharedOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            let file = try EditedConfiguration(shared, checksFiles: false)
            let lists = file.configuration.watermarkLists
            if json {
                let texts = lists.map { list in
                    let value = file.text.value(at: list.path) ?? "[]"
                    return "\(JSONText.quoted(list.path)): \(value)"
                }
                return print("{\(texts.joined(separator: ",\n"))}")
            }
            for list in lists {
                print(list.marks.isEmpty ? "\(list.path): none" : "\(list.path):")
                for mark in list.marks { print("  \(mark.shown)") }
            }
        }
    }

    /// `stickerctl watermark add`.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Adds a mark, or replaces the one with its name.",
            usage: "stickerctl watermark add [<options>] <name>")

        @OptionGroup var shared: SharedOptions
        @OptionGroup var place: WatermarkListChoice
        @OptionGroup var mark: WatermarkOptions

        @Argument(help: "The name of the mark.")
        var name: String

        func run() throws {
            let file = try EditedConfiguration(shared)
            let json = try mark.json(name, beside: file.path)
            var list = place.list(of: file)
            let isNew = !list.isThere
            let isReplaced = list.put(name, json)
            try file.write(list.text)
            print(
                "\(isReplaced ? "replaced" : "added") \(FileName.escaped(name)): \(list.path) has "
                    + list.identifiers.count.counted("mark", "marks"))
            let others = file.configuration.sticker.watermarks.count
            if isNew, place.category != nil, others > 0 {
                let marks = others.counted("mark", "marks")
                print("it replaces sticker.watermarks, whose \(marks) it does not have")
            }
            file.tellRemedy()
        }
    }

    /// `stickerctl watermark remove`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a mark; a missing one is no error.",
            usage: "stickerctl watermark remove [<options>] <name>")

        @OptionGroup var shared: SharedOptions
        @OptionGroup var place: WatermarkListChoice

        @Argument(help: "The name of the mark.")
        var name: String

        func run() throws {
            let file = try EditedConfiguration(shared, checksFiles: false)
            var list = place.list(of: file)
            guard list.remove(name) > 0 else {
                return print(
                    "\(list.path) has no mark \(FileName.escaped(name)); nothing was written")
            }
            try file.write(list.text)
            print(
                "removed \(FileName.escaped(name)): \(list.path) has "
                    + list.identifiers.count.counted("mark", "marks"))
            if let category = place.category, list.identifiers.isEmpty {
                print(
                    "\(FileName.escaped(category)) has no marks now; without \(list.path) it has "
                        + "those for all")
            }
            file.tellRemedy()
        }
    }
}

/// The list of marks for a command.
struct WatermarkListChoice: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The marks of this category, in place of those for all.", valueName: "name"))
    var category: String?

    func list(of file: EditedConfiguration) -> WatermarkList {
        WatermarkList(file.text, category: category)
    }
}

/// A configuration file to be changed.
struct EditedConfiguration {
    /// The file as named; files of marks are found beside it.
    let path: String
    /// The file itself, not a link to it.
    private let target: String
    let text: JSONText
    /// Its contents.
    let configuration: Configuration
    private let checksFiles: Bool
    /// Held until the end, so that concurrent commands do not overwrite each other's changes.
    private let lock: FolderLock

    /// Reads the configuration in force.
    ///
    /// - Parameters:
    ///   - shared: the options that name it.
    ///   - checksFiles: whether to check the files of marks; not needed to remove marks.
    /// - Throws: exit code 1, after a complaint, if there is none, or it already has faults.
    init(_ shared: SharedOptions, checksFiles: Bool = true) throws {
        guard !shared.personal else {
            complain("stickers of users have no marks; without --personal, those of the library do")
            throw ExitCode(1)
        }
        try shared.refuseUntrustedFile()
        guard let place = shared.place(isTrusted: SharedOptions.trustsWorkingFolder) else {
            let option =
                SharedOptions.trustsWorkingFolder ? "" : ", and name it: --config config.json"
            complain("there is no configuration file; begin one: echo '{}' > config.json\(option)")
            throw ExitCode(1)
        }
        path = place
        target = URL(filePath: place).resolvingSymlinksInPath().path
        self.checksFiles = checksFiles
        do {
            lock = try FolderLock(SystemCall.parentFolder(of: target))
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            configuration = try ConfigurationFile.parse(bytes, at: path).configuration
            text = try JSONText(bytes)
        } catch let error as ConfigurationError {
            for fault in error.faults { complain("\(fault)") }
            complain("correct that first; nothing was written")
            throw ExitCode(1)
        } catch {
            complain("\(FileName.escaped(path)) cannot be read: \(error)")
            throw ExitCode(1)
        }
    }

    /// Replaces the text, if the result is a configuration whose marks can be drawn.
    ///
    /// - Throws: exit code 1, after a complaint.
    func write(_ changed: JSONText) throws {
        do {
            var file = try ConfigurationFile.parse(changed.bytes, at: path)
            for warning in file.warnings { complain("warning: \(warning)") }
            if checksFiles {
                file = try file.readingFiles()
                let worker = file.configuration.worker
                let remarks = try WorkerMaking(program: try WorkerProgram.find()) { worker }
                    .check(filesOf: file.configuration)
                for remark in remarks { complain("warning: \(remark)") }
            }
            // Another editor may have changed it.
            guard [UInt8](try Data(contentsOf: URL(filePath: path))) == text.bytes else {
                complain("\(FileName.escaped(path)) was changed meanwhile; nothing was written")
                throw ExitCode(1)
            }
            try AtomicFile.rewrite(target, with: changed.bytes)
        } catch let error as ConfigurationError {
            for fault in error.faults { complain("\(fault)") }
            complain("nothing was written")
            throw ExitCode(1)
        } catch let code as ExitCode {
            throw code
        } catch {
            complain("\(error); nothing was written")
            throw ExitCode(1)
        }
    }

    /// Prints the next step.
    func tellRemedy() {
        print("\(stickerctl: "plan") shows what that makes again, and how to apply it")
    }
}

extension Configuration {
    /// Every list of marks, first that for all categories.
    fileprivate var watermarkLists: [(path: String, marks: [Watermark])] {
        let own = categories.sorted { $0.key < $1.key }
            .filter { $0.value.watermarks != sticker.watermarks }
            .map { ("categories.\(FileName.escaped($0.key)).watermarks", $0.value.watermarks) }
        return [("sticker.watermarks", sticker.watermarks)] + own
    }
}
