import ArgumentParser
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerValues
import StickerWorkers

/// `stickerctl preview IN`: shows a sticker before anything is configured.
struct PreviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Draws a sticker of one file as chats would show it.",
        discussion: """
            Draws it on white, on the light and the dark wallpaper of WhatsApp, on gray and on black; \
            of an animation the first frame, with ten more below, and of a template each style. \
            Nothing is published and no setting is changed.
            """)

    @OptionGroup var shared: SharedOptions

    @Option(help: "Use the settings of this category.")
    var category: String?

    @OptionGroup(title: "Art") var art: ArtOptions

    @OptionGroup(title: "Smart stickers") var smart: SmartOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The PNG to write; preview.png unless given.", valueName: "file"))
    var output = "preview.png"

    @Argument(
        help: "The picture: \(ImageFormat.namesOfAll); or a template, \(FileName.templateSuffix).")
    var input: String?

    func validate() throws {
        guard output.hasSuffix(".png") else {
            throw ValidationError("a preview is a PNG: name a file that ends with .png")
        }
        guard isOfTemplate || !smart.isGiven else {
            throw ValidationError(
                "--at, --locale and the other options of smart stickers need --template "
                    + "or a file that ends with \(FileName.templateSuffix)")
        }
        guard input != nil || smart.template != nil else {
            throw ValidationError("name a picture, or a --template")
        }
        if let input, smart.template != nil {
            throw ValidationError(
                "a --template needs no picture, leave \(FileName.escaped(input)) out; "
                    + "the PNG to write is --to")
        }
    }

    private var isOfTemplate: Bool {
        smart.template != nil || input.map { FileName.isTemplate(Array($0.utf8)) } == true
    }

    func run() throws {
        let configuration = try shared.load().configuration
        let names = configuration.category(named: category)
        let recipe = try art.applied(to: configuration, names)
            .recipe(of: CategoryNames(folder: nil))
        let path = try input ?? smart.file()
        var picture = OnePicture(path: path, configuration: configuration)
        try picture.refuse(output: output)
        guard isOfTemplate else {
            let file = try sticker(of: try picture.read(), recipe, picture)
            return try draw([(nil, file)], configuration)
        }
        let drawings = try smart.drawings(of: path, configuration.settings(of: names).smart)
        let stickers = try drawings.map { drawing in
            picture.path = drawing.style ?? path
            let file = try sticker(of: SourceBytes(drawing.svg), recipe, picture)
            return (drawing.style, file)
        }
        try draw(stickers, configuration)
    }

    private func sticker(
        of source: SourceBytes, _ recipe: Recipe, _ picture: OnePicture
    ) throws -> MadeFile {
        let report = try picture.make(source, recipe, isStickerAlone: true)
        for warning in report.warnings { print("warning \(warning.code): \(warning.detail)") }
        switch report.result {
        case .success(let made): return made.files[0]
        case .failure(let failure):
            for line in failure.lines(file: picture.path) { complain(line) }
            throw failure.exitCode
        }
    }

    private func draw(
        _ stickers: [(name: String?, file: MadeFile)], _ configuration: Configuration
    ) throws {
        let cells = stickers.map { name, file in
            SheetPage.Cell(
                identifier: StickerID(rawValue: name ?? "\(file.bytes.count) bytes"),
                bytes: file.bytes.count, moves: file.frames ?? 1 > 1, marks: [])
        }
        try complaining {
            let maker = WorkerQuestions(
                program: try WorkerProgram.find(), worker: configuration.worker,
                limits: configuration.limits)
            let drawn = try maker.draw(
                SheetPage(cells: cells, isCloseUp: true),
                SourceBytes(stickers.flatMap(\.file.bytes)))
            guard drawn.faults.isEmpty else {
                for fault in drawn.faults { complain(fault.detail) }
                throw ExitCode(1)
            }
            try AtomicFile.replace(output, with: drawn.png)
        }
        for (name, file) in stickers {
            let style = name.map { " of style \(FileName.escaped($0))" } ?? ""
            print(
                "\(FileName.escaped(output)) shows a sticker\(style): \(file.size) "
                    + "\(file.format.rawValue), \(file.bytes.count.grouped) B")
        }
    }
}
