import ArgumentParser
import FoundationEssentials
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerValues
import StickerWorkers

/// `stickerctl convert IN OUT`: one file through the daemon's own pipeline, without a daemon.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Makes a sticker of one file, the way the daemon would.",
        usage: "stickerctl convert [<options>] <input> <output>",
        discussion: """
            The output is the sticker's file. If it is a folder, all files are written into it: \
            the sticker, its companion, thumbnails and tray icon, and a file for each further \
            target.
            """)

    @OptionGroup var shared: SharedOptions

    @Option(help: "Use the settings of this category.")
    var category: String?

    @Option(help: "Follow the rules of this target, discord for example; may be repeated.")
    var target: [String] = []

    @OptionGroup(title: "Art") var art: ArtOptions

    @Flag(help: "Print the result as JSON.")
    var json = false

    @Argument(help: "The picture: \(ImageFormat.namesOfAll).")
    var input: String

    @Argument(
        help:
            "The sticker to write, a WebP unless the target takes others; or a folder for all files."
    )
    var output: String

    func validate() throws {
        guard !isFolder else { return }
        if target.count > 1 {
            throw ValidationError("several targets need an existing folder")
        }
        if output.hasSuffix("/") { throw ValidationError("there is no folder \(output)") }
    }

    func run() throws {
        let configuration = try shared.load().configuration
        let recipe = try recipe(configuration)
        try refuseName(recipe.targets[0])
        let picture = OnePicture(path: input, configuration: configuration)
        let report = try picture.make(recipe, isStickerAlone: !isFolder)
        try show(report)
        switch report.result {
        case .success(let made): try write(made, besides: picture)
        case .failure(let failure): throw failure.exitCode
        }
    }

    /// Refuses an output name with the extension of another format, which would mislead readers.
    private func refuseName(_ target: Target) throws {
        guard let named = namedFormat, !target.formats.contains(named) else { return }
        let formats = target.formats.map { ".\($0.fileExtension)" }.joined(separator: " or ")
        complain(
            "a sticker for \(target.name) is a \(formats): name one, "
                + "or an existing folder for all files")
        throw ExitCode(2)
    }

    /// The format in the name of the output; `nil` for a folder, or without an extension.
    private var namedFormat: ImageFormat? {
        let name = FileName.fileExtension(Array(output.utf8))
        return isFolder ? nil : ImageFormat.allCases.first { $0.fileExtensions.contains(name) }
    }

    /// The recipe of the category, for the requested targets.
    private func recipe(_ configuration: Configuration) throws -> Recipe {
        let configuration = try art.applied(
            to: configuration, configuration.category(named: category))
        // Everything is in the settings for all.
        let names = CategoryNames(folder: nil)
        let settings = configuration.settings(of: names)
        guard !target.isEmpty else { return configuration.recipe(of: names) }
        if let unknown = target.first(where: { configuration.targets[$0] == nil }) {
            let known = configuration.targets.keys.sorted()
            let hint =
                known.hint(for: unknown) ?? "known targets are \(known.joined(separator: ", "))"
            complain("there is no target \(FileName.escaped(unknown)); \(hint)")
            throw ExitCode(2)
        }
        var recipe = Recipe(
            settings: settings, targets: target.compactMap { configuration.targets[$0] })
        recipe.cmykProfile = configuration.color.cmykProfile?.profile
        return recipe
    }

    private var isFolder: Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: output, isDirectory: &isFolder) && isFolder
    }

    private func write(_ made: MadeSticker, besides picture: OnePicture) throws {
        if let named = namedFormat, named != made.files[0].format {
            complain(
                "\(FileName.escaped(output)) would be named wrongly: the sticker is a "
                    + ".\(made.files[0].format.fileExtension); nothing is written")
            throw ExitCode(2)
        }
        let files =
            isFolder
            ? made.files.map { ("\(output)/\($0.suggestedName)", $0.bytes) }
            : [(output, made.files[0].bytes)]
        for (path, _) in files { try picture.refuse(output: path) }
        do {
            for (path, bytes) in files { try AtomicFile.replace(path, with: bytes) }
        } catch {
            complain("\(FileName.escaped(output)) cannot be written: \(error)")
            throw ExitCode(1)
        }
    }

    private func show(_ report: MakeReport) throws {
        if json { return try printJSON(ConvertReport(report)) }
        for line in report.log.entries.flatMap(\.lines) { print(line) }
        for warning in report.warnings { print("warning \(warning.code): \(warning.detail)") }
        if case .failure(let failure) = report.result {
            for line in failure.lines(file: input) { complain(line) }
        }
    }
}

extension MakeFailure {
    /// The refusal for `--json`.
    fileprivate var refusal: Refusal? {
        switch self {
        case .refused(let refusal), .worker(let refusal): refusal
        case .lacking, .yielded: nil
        }
    }
}

extension MadeFile {
    /// `sticker.webp`, `thumbnail-144.png`.
    fileprivate var suggestedName: String {
        let name = role == .rendition ? target ?? role.rawValue : role.rawValue
        let size = role == .thumbnail ? "-\(size.width)" : ""
        return "\(name)\(size).\(format.fileExtension)"
    }
}

/// The output of `convert --json`.
private struct ConvertReport: Encodable {
    struct File: Encodable {
        var role: StickerFile.Role
        var target: String?
        var format: ImageFormat
        var width: Int
        var height: Int
        var bytes: Int
        var frames: Int?
        var durationMilliseconds: Int?
        var encoding: Encoding?
    }

    var published: Bool
    var animated: Bool?
    var encoding: Encoding?
    var files: [File]?
    var shortfalls: [Shortfall]?
    var refusal: Refusal?
    var warnings: [Warning]
    var steps: [StepEntry]

    init(_ report: MakeReport) {
        warnings = report.warnings
        steps = report.log.entries
        switch report.result {
        case .success(let made):
            published = true
            animated = made.animated
            encoding = made.files.first?.encoding
            files = made.files.map {
                File(
                    role: $0.role, target: $0.target, format: $0.format, width: $0.size.width,
                    height: $0.size.height, bytes: $0.bytes.count, frames: $0.frames,
                    durationMilliseconds: $0.durationMilliseconds, encoding: $0.encoding)
            }
            shortfalls = made.shortfalls.isEmpty ? nil : made.shortfalls
        case .failure(let failure):
            published = false
            refusal = failure.refusal
        }
    }
}
