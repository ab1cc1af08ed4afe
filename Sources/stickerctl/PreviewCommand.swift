import ArgumentParser
import StickerModel
import StickerStore
import StickerWorkers

/// `stickerctl preview IN`: how a sticker would look, before anything is configured.
struct PreviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Shows a sticker of one file as it would look in chats.",
        discussion: """
            Draws it on white, on the light and the dark wallpaper of WhatsApp, on gray and on black; \
            of what moves the first frame, and below it ten more. Nothing is published and \
            no setting is changed.
            """)

    @OptionGroup var shared: SharedOptions

    @Option(help: "Use the settings of this category.")
    var category: String?

    @OptionGroup(title: "Art") var art: ArtOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The PNG to write; preview.png unless given.", valueName: "file"))
    var output = "preview.png"

    @Argument(help: "The picture: \(ImageFormat.namesOfAll).")
    var input: String

    func validate() throws {
        guard output.hasSuffix(".png") else {
            throw ValidationError("a preview is a PNG: name a file that ends with .png")
        }
    }

    func run() throws {
        let configuration = try shared.load().configuration
        let names = CategoryNames(
            identifier: category.map(CategoryID.init), folder: category.map { Array($0.utf8) })
        let recipe = try art.applied(to: configuration, names).recipe(of: names)
        let picture = OnePicture(path: input, configuration: configuration)
        try picture.refuse(output: output)
        let report = try picture.make(recipe, isStickerAlone: true)
        for warning in report.warnings { print("warning \(warning.code): \(warning.detail)") }
        switch report.result {
        case .success(let made): try draw(made.files[0], moves: made.animated, configuration)
        case .failure(let failure):
            for line in failure.lines(file: input) { complain(line) }
            throw failure.exitCode
        }
    }

    private func draw(
        _ sticker: MadeFile, moves: Bool, _ configuration: Configuration
    ) throws {
        let cell = SheetPage.Cell(
            identifier: StickerID(rawValue: "\(sticker.bytes.count) bytes"),
            bytes: sticker.bytes.count, moves: moves, marks: [])
        do {
            let maker = SheetMaking(
                program: try WorkerProgram.find(), worker: configuration.worker,
                limits: configuration.limits)
            let drawn = try maker.draw(
                SheetPage(cells: [cell], isCloseUp: true), SourceBytes(sticker.bytes))
            guard drawn.faults.isEmpty else {
                for fault in drawn.faults { complain(fault.detail) }
                throw ExitCode(1)
            }
            try AtomicFile.replace(output, with: drawn.png)
        } catch let code as ExitCode {
            throw code
        } catch {
            complain("\(error)")
            throw ExitCode(1)
        }
        print(
            "\(FileName.escaped(output)): \(sticker.size) \(sticker.format.rawValue), "
                + "\(sticker.bytes.count.grouped) B")
    }
}
