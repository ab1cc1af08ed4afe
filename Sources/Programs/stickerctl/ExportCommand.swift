import ArgumentParser
import Glibc
import StickerConfiguration
import StickerPackFiles
import StickerPacks
import StickerStore
import StickerSystem
import StickerValues

/// `stickerctl export CATEGORY --for PLATFORM --to DIR`: writes packs for import by a platform.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes packs for a platform.",
        discussion: """
            Each form is a folder in DIR, written whole or left as it was. A pack with a fault is \
            written in its last state without one, or not at all; 'lint' shows the fault, and the \
            exit code is 3. Missing pictures that the platform needs are made, and kept for a \
            while; others are not encoded again. The same packs give the same bytes.

            With --for all, every platform with a pack of the category gets its own folder in DIR. \
            If one of them has a fault, nothing is written, unless --skip-faulty leaves it out.

            With --all instead of a category, the packs of all categories are written into one \
            folder for an app; the faults of one category hold up no other.
            """)

    /// The name for all platforms.
    private static let everyPlatform = "all"

    @OptionGroup var shared: SharedOptions

    @Option(
        name: .customLong("for"), help: ArgumentHelp("The platform, or all.", valueName: "platform")
    )
    var platform: String

    @Flag(help: "With --for all, leave out platforms that have a fault.")
    var skipFaulty = false

    @Option(
        name: .customLong("as"), help: ArgumentHelp("One form instead of all.", valueName: "form"))
    var form: String?

    @Option(name: .customLong("to"), help: ArgumentHelp("The folder.", valueName: "dir"))
    var folder: String

    @Flag(help: "All categories in one, for: \(Self.platformsOfLibrary.joined(separator: ", ")).")
    var all = false

    @Flag(help: "Move the newest stickers if one or two would be left over.")
    var rebalance = false

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: "A category, by id.")
    var category: String?

    private static let platformsOfLibrary = Platforms.all.filter { !$0.formsOfLibrary.isEmpty }
        .map(\.platform.rawValue)

    func validate() throws {
        guard all != (category != nil) else {
            throw ValidationError("name a category by its id, or pass --all")
        }
        guard !all || Self.platformsOfLibrary.contains(platform) else {
            throw ValidationError(
                "--all goes with --for \(Self.platformsOfLibrary.joined(separator: ", or "))")
        }
        if platform == Self.everyPlatform {
            guard form == nil else {
                throw ValidationError(
                    "--as names a form of one platform, and does not go with --for all")
            }
        } else {
            _ = try choice()
            guard !skipFaulty else {
                throw ValidationError(
                    "--skip-faulty leaves out platforms, and belongs to --for all")
            }
        }
    }

    /// The platform, and the forms to write.
    private func choice() throws -> (platform: any PackMaking, forms: [String]) {
        guard let chosen = Platforms.all.first(where: { $0.platform.rawValue == platform }) else {
            let names = Platforms.all.map(\.platform.rawValue)
            throw ValidationError("packs can be made for: \(names.joined(separator: ", "))")
        }
        let forms = all ? chosen.formsOfLibrary : chosen.forms
        guard let form else { return (chosen, forms) }
        guard forms.contains(form) else {
            throw ValidationError("\(platform) has the forms: \(forms.joined(separator: ", "))")
        }
        return (chosen, [form])
    }

    func run() throws {
        let configuration = try shared.loadFolders().file.configuration
        let folder = CommandLine.absolutePath(folder)
        try complaining {
            try NamedFolder.check(folder, besides: configuration)
            let store = try shared.openStore(.tool)
            if access(folder, F_OK) == 0 { try NamedFolder.checkIsWritable(folder) }
            let export = try category.map {
                try CategoryExport(CategoryID(rawValue: $0), store, configuration)
            }
            try NamedFolder.make(folder, besides: configuration)
            try NamedFolder.checkIsWritable(folder)
            let isFine =
                if let export {
                    try platform == Self.everyPlatform
                        ? exportAll(export, to: folder, besides: configuration)
                        : exportOne(export, to: folder)
                } else {
                    try exportLibrary(
                        LibraryExport(store: store, configuration: configuration), to: folder)
                }
            if !isFine { throw ExitCode(3) }
        }
    }

    // MARK: One platform

    private func exportOne(_ export: CategoryExport, to folder: String) throws -> Bool {
        let (platform, forms) = try choice()
        let report = try export.write(platform, as: forms, to: folder, rebalancing: rebalance)
        if json { try printJSON(report) } else { tell(report) }
        return report.lint.ready && report.folder != nil
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

    // MARK: All categories

    private func exportLibrary(_ export: LibraryExport, to folder: String) throws -> Bool {
        let (platform, forms) = try choice()
        let report = try export.write(platform, as: forms, to: folder, rebalancing: rebalance)
        if json { try printJSON(report) } else { for line in report.lines { print(line) } }
        for error in report.errors { complain(error) }
        if !report.errors.isEmpty { throw ExitCode(1) }
        return report.isFine
    }

    // MARK: All platforms

    /// Checks all platforms before anything is written.
    private func exportAll(
        _ export: CategoryExport, to folder: String, besides configuration: Configuration
    ) throws -> Bool {
        let all = try Platforms.all.map { platform in
            do {
                return try export.outlook(for: platform)
            } catch {
                throw PackError(description: "\(platform.platform): \(error)")
            }
        }
        let isWritten = skipFaulty || !all.contains(where: \.isFaulty)
        let ready = all.filter { isWritten && $0.isReady }.map(\.platform)
        for platform in ready {
            let place = "\(folder)/\(platform.platform.rawValue)"
            try NamedFolder.check(place, besides: configuration)
            try SystemCall.makeFolders(place, mode: 0o755)
            try export.claim(place, for: platform, as: platform.forms)
        }
        let reports = all.map { outlook in
            guard ready.contains(where: { $0.platform == outlook.platform.platform }) else {
                return ExportReport(lint: outlook.report)
            }
            return write(outlook, export, to: folder)
        }
        if json {
            try printJSON(["platforms": reports])
        } else {
            tell(reports, all, folder)
        }
        let failed = reports.filter { $0.error != nil }
        for report in failed { complain("\(report.lint.platform): \(report.error ?? "")") }
        if !failed.isEmpty { throw ExitCode(1) }
        // A category may have changed since the check.
        return reports.contains { $0.folder != nil } && isWritten
            && reports.allSatisfy { $0.folder == nil || $0.lint.ready }
    }

    /// A failure on one platform does not stop the others.
    private func write(
        _ outlook: CategoryExport.Outlook, _ export: CategoryExport, to folder: String
    ) -> ExportReport {
        let platform = outlook.platform
        do {
            return try export.write(
                platform, as: platform.forms, to: "\(folder)/\(platform.platform.rawValue)",
                rebalancing: rebalance)
        } catch {
            var report = ExportReport(lint: outlook.report)
            report.error = "\(error)"
            return report
        }
    }

    private func tell(
        _ reports: [ExportReport], _ all: [CategoryExport.Outlook], _ folder: String
    ) {
        let written = reports.filter { $0.folder != nil }
        let faulty = all.filter(\.isFaulty).map(\.report)
        let none = all.filter { !$0.hasPacks }.map(\.report)
        for report in written { print(report.line) }
        if !skipFaulty { for line in faulty.flatMap(\.lines) { print(line) } }
        tell(made: all.reduce(0) { $0 + $1.made } + reports.reduce(0) { $0 + $1.made })
        tell("no packs for", none, "; why: \(lint(none))")
        for outlook in all where outlook.hasPacks {
            if let obstacle = outlook.obstacle {
                tell("left out", [outlook.report], ": \(obstacle)")
            }
        }
        if skipFaulty { tell("left out", faulty, "; why: \(lint(faulty))") }
        guard !written.isEmpty else {
            if !skipFaulty { tell("faults for", faulty, "; --skip-faulty leaves them out") }
            return print("nothing was written")
        }
        let count = written.count.counted("platform", "platforms")
        print("written to \(FileName.escaped(folder)): \(count)")
        print(written.size)
    }

    /// Reports platforms for which nothing is written, if any.
    private func tell(_ what: String, _ reports: [LintReport], _ help: String) {
        guard !reports.isEmpty else { return }
        let names = reports.map(\.platform.rawValue).joined(separator: ", ")
        let line = FileName.escaped("\(what) \(names)\(help)")
        for line in line.wrapped(indent: 2) { print(line) }
    }

    /// The command that explains the faults for platforms.
    private func lint(_ reports: [LintReport]) -> String {
        let platform = reports.count == 1 ? reports[0].platform.rawValue : "PLATFORM"
        return "\(stickerctl: "lint \(category ?? "CATEGORY") --for \(platform)")"
    }
}
