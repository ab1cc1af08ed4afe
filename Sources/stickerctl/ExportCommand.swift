import ArgumentParser
import FoundationEssentials
import Glibc
import StickerExport
import StickerModel
import StickerPacks
import StickerStore
import StickerSystem
import StickerWorkers

/// `stickerctl export CATEGORY --for PLATFORM --to DIR`: writes packs that a platform imports.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes the packs of a category for a platform.",
        discussion: """
            Each form is a folder in DIR, written whole or left as it was. A pack with a fault is \
            written as it last was without, or not at all; 'lint' says what is wrong. Pictures that \
            the platform needs and nobody has made yet are made, and kept for a while; nothing is \
            encoded again. The same packs give the same bytes.
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
        let (platform, forms) = try choice()
        let configuration = try shared.loadFolders().file.configuration
        let folder = CommandLine.absolutePath(folder)
        do {
            try ExportFolder.make(folder, besides: configuration)
            let store = try shared.openStore(.tool)
            try ExportFolder.checkIsWritable(folder)
            let id = CategoryID(rawValue: category)
            let names = try store.names(of: id)
            let books = PackBooks(store, PackShelf(out: configuration.out))
            var made = 0
            let plan = try books.record(id, for: platform, rebalancing: rebalance) {
                var source = try PublishedTree(configuration).known(names)
                made += try complete(&source, names, for: platform, store, configuration)
                return source
            }
            if rebalance { try store.packAgain(id) }
            let packs = try books.bundle(of: id, for: platform).packs
            if !packs.isEmpty {
                let writer = PackWriter(out: configuration.out)
                let owner = ExportedForms(platform.platform, platform.isForLibrary ? nil : id)
                try owner.claim(forms, in: folder)
                for form in forms {
                    try writer.write(packs, for: platform, as: form, to: folder)
                }
            }
            let report = LintReport(platform.platform, plan)
            try tell(report, made, forms, folder)
            if !report.ready { throw ExitCode(3) }
        } catch let code as ExitCode {
            throw code
        } catch {
            complain("\(error)")
            throw ExitCode(1)
        }
    }

    /// Makes what is missing, as the owner of the library.
    private func complete(
        _ source: inout PackSource, _ names: CategoryNames, for platform: some PackMaking,
        _ store: JobStore, _ configuration: Configuration
    ) throws -> Int {
        let maker = WorkerMaking(program: try WorkerProgram.find()) { configuration.worker }
        return try StateFolder.asOwner(of: configuration.state) {
            try PackPictures(store, configuration).complete(
                &source, names, for: platform, rebalancing: rebalance, by: maker,
                into: ObjectStore(out: configuration.out))
        }
    }

    private func tell(
        _ report: LintReport, _ made: Int, _ forms: [String], _ folder: String
    ) throws {
        if json { return try printJSON(report) }
        for line in report.lines { print(line) }
        if made > 0 { print("\(made.counted("picture was", "pictures were")) made, and kept") }
        guard !report.packs.isEmpty else { return print("nothing was written") }
        print("written to \(FileName.escaped(folder)): \(forms.joined(separator: ", "))")
    }
}
