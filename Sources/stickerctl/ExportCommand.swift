import ArgumentParser
import StickerExport
import StickerModel
import StickerPacks
import StickerStore
import StickerSystem

/// `stickerctl export CATEGORY --for PLATFORM --to DIR`: writes packs that a platform imports.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the packs of a category for a platform.",
        discussion: """
            Each form is a folder in DIR, written whole or left as it was. A pack with a fault is \
            written as it last was without, or not at all; 'lint' says what is wrong, and the exit \
            code is 3. Pictures that the platform needs and nobody has made yet are made, and kept \
            for a while; nothing is encoded again. The same packs give the same bytes.
            """)

    @OptionGroup var shared: SharedOptions

    @Option(name: .customLong("for"), help: ArgumentHelp("The platform.", valueName: "platform"))
    var platform: String

    @Option(
        name: .customLong("as"), help: ArgumentHelp("One form instead of all.", valueName: "form"))
    var form: String?

    @Option(name: .customLong("to"), help: ArgumentHelp("The folder.", valueName: "dir"))
    var folder: String

    @Flag(help: "Move the newest stickers if one or two would be left over.")
    var rebalance = false

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "A category, by id.")
    var category: String

    func validate() throws { _ = try choice() }

    /// The platform, and the forms to write.
    private func choice() throws -> (platform: any PackMaking, forms: [String]) {
        guard let chosen = Platforms.all.first(where: { $0.platform.rawValue == platform }) else {
            let names = Platforms.all.map(\.platform.rawValue)
            throw ValidationError("packs can be made for: \(names.joined(separator: ", "))")
        }
        let forms = chosen.forms
        guard let form else { return (chosen, forms) }
        guard forms.contains(form) else {
            throw ValidationError("\(platform) has the forms: \(forms.joined(separator: ", "))")
        }
        return (chosen, [form])
    }

    func run() throws {
        let configuration = try shared.loadFolders().file.configuration
        let folder = CommandLine.absolutePath(folder)
        do {
            try ExportFolder.make(folder, besides: configuration)
            let store = try shared.openStore(.tool)
            try ExportFolder.checkIsWritable(folder)
            let export = try CategoryExport(CategoryID(rawValue: category), store, configuration)
            if try !exportOne(export, to: folder) { throw ExitCode(3) }
        } catch let code as ExitCode {
            throw code
        } catch {
            complain("\(error)")
            throw ExitCode(1)
        }
    }

    private func exportOne(_ export: CategoryExport, to folder: String) throws -> Bool {
        let (platform, forms) = try choice()
        let report = try export.write(platform, as: forms, to: folder, rebalancing: rebalance)
        if json { try printJSON(report) } else { tell(report) }
        return report.lint.ready
    }

    private func tell(_ report: ExportReport) {
        for line in report.lint.lines { print(line) }
        tell(made: report.made)
        guard let folder = report.folder else { return print("nothing was written") }
        let forms = report.forms.map(\.name).joined(separator: ", ")
        print("written to \(FileName.escaped(folder)): \(forms)")
        print([report].size)
    }

    private func tell(made: Int) {
        if made > 0 { print("\(made.counted("picture was", "pictures were")) made, and kept") }
    }
}
