import ArgumentParser
import FoundationEssentials
import StickerConfiguration
import StickerPackFiles
import StickerPacks
import StickerStore
import StickerSystem
import StickerValues
import StickerWorkers

/// `stickerctl sheet CATEGORY`: shows a category in chats, as pictures.
struct SheetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet", abstract: "Draws the stickers of a category as chats show them.",
        discussion: """
            Each sticker is shown on white, on the light and the dark wallpaper of WhatsApp and on \
            black; of an animation the first frame, with eight more below. Warnings of 'lint' are \
            framed and named below the id. Further pages are FILE-2.png and so on. Ends with 3 \
            if a file cannot be read.
            """)

    @OptionGroup var shared: SharedOptions

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The PNG to write; CATEGORY.png unless given.", valueName: "file"))
    var output: String?

    @Argument(help: "A category, by id.")
    var category: String

    func validate() throws {
        guard output?.hasSuffix(".png") ?? true else {
            throw ValidationError("a sheet is a PNG: name a file that ends with .png")
        }
    }

    func run() throws {
        let configuration = try shared.load().configuration
        try complaining {
            let folder = SystemCall.parentFolder(of: CommandLine.absolutePath(path(of: 0)))
            try NamedFolder.check(folder, besides: configuration, canContain: true)
            try NamedFolder.checkIsWritable(folder)
            let source = try source(configuration)
            let maker = WorkerQuestions(
                program: try WorkerProgram.find(), worker: configuration.worker,
                limits: configuration.limits)
            var isWhole = true
            for (index, page) in source.stickers.pagesOfASheet.enumerated() {
                let sheet = Sheet(page, source.targets, in: configuration.out)
                let faults = try write(sheet, by: maker, index)
                for fault in faults { complain(FileName.escaped(fault)) }
                isWhole = isWhole && faults.isEmpty
            }
            if !isWhole { throw ExitCode(3) }
        }
    }

    private func source(_ configuration: Configuration) throws -> PackSource {
        // Its settings make no difference, so its id is enough.
        let names = CategoryNames(identifier: CategoryID(rawValue: category), folder: nil)
        let source = try PublishedTree(configuration).known(names)
        guard !source.stickers.isEmpty else {
            complain(
                source.isSmart
                    ? "the category \(category) has smart stickers alone, which change by themselves; "
                        + "preview draws one as it is at any time"
                    : "the category \(category) has no stickers; drop pictures into its folder")
            throw ExitCode(1)
        }
        return source
    }

    /// Draws a page and writes it.
    ///
    /// - Returns: the files that could not be read, each with its fault.
    private func write(_ sheet: Sheet, by maker: WorkerQuestions, _ index: Int) throws -> [String] {
        let drawn = try maker.draw(sheet.page, SourceBytes(sheet.bytes))
        let path = path(of: index)
        do throws(FileError) {
            try AtomicFile.replace(path, with: drawn.png)
        } catch {
            throw PackError(description: "\(error); name another file with --to")
        }
        let count = sheet.page.cells.count.counted("sticker", "stickers")
        print("\(FileName.escaped(path)): \(count)")
        return sheet.told(drawn.faults)
    }

    private func path(of index: Int) -> String {
        let first = output ?? "\(category).png"
        return index == 0 ? first : "\(first.dropLast(4))-\(index + 1).png"
    }
}

/// A page with the files of its stickers.
private struct Sheet {
    private(set) var page: SheetPage
    /// The files, one after another.
    private(set) var bytes: [UInt8] = []
    /// The faults of files that are missing, or not as long as the manifest says.
    private var faults: [StickerID: String] = [:]
    /// The paths of the files.
    private var paths: [StickerID: String] = [:]

    /// - Parameters:
    ///   - stickers: the stickers of the page.
    ///   - targets: the rules of the targets, by name.
    ///   - out: the folder of the files.
    init(_ stickers: [ManifestSticker], _ targets: [String: Target], in out: String) {
        page = SheetPage()
        for sticker in stickers { add(sticker, targets, out) }
    }

    /// The faults of files, each with its path, after some could not be drawn.
    func told(_ undrawn: [SheetPage.Fault]) -> [String] {
        undrawn.map { fault in
            let path = paths[fault.identifier] ?? fault.identifier.rawValue
            return "\(path): \(faults[fault.identifier] ?? fault.detail)"
        }
    }

    private mutating func add(
        _ sticker: ManifestSticker, _ targets: [String: Target], _ out: String
    ) {
        let file = contents(of: sticker, out)
        bytes += file
        let marks = AppearanceRule.broken(by: sticker, targets)
            .map { SheetPage.Mark($0.rawValue, $0.place) }
        page.cells.append(
            SheetPage.Cell(
                identifier: sticker.identifier, bytes: file.count, moves: sticker.animated,
                marks: marks))
    }

    /// The file of a sticker; empty if it has a fault.
    private mutating func contents(of sticker: ManifestSticker, _ out: String) -> [UInt8] {
        guard let picture = PublishedPicture(url: sticker.imageURL),
            let expected = sticker.files.first(where: { $0.role == .sticker })?.bytes
        else { return [] }
        let path = "\(out)/\(picture.path)"
        paths[sticker.identifier] = path
        do {
            let file = Array(try Data(contentsOf: URL(filePath: path)))
            guard file.count != expected else { return file }
            faults[sticker.identifier] =
                "it has \(file.count.grouped) B instead of \(expected.grouped) B"
        } catch {
            faults[sticker.identifier] = "\(FileTrouble(error))"
        }
        return []
    }
}

extension [ManifestSticker] {
    /// The stickers of each page: at most 30, and at most 32 MiB of files.
    fileprivate var pagesOfASheet: [[ManifestSticker]] {
        var pages: [[ManifestSticker]] = []
        var bytes = 0
        for sticker in self {
            let own = sticker.files.first { $0.role == .sticker }?.bytes ?? 0
            if let last = pages.last, last.count < 30, bytes + own <= 32 << 20 {
                pages[pages.count - 1].append(sticker)
                bytes += own
            } else {
                pages.append([sticker])
                bytes = own
            }
        }
        return pages
    }
}

extension AppearanceRule {
    /// The framed part.
    fileprivate var place: SheetPage.Mark.Place {
        switch self {
        case .vanishesOnDark: .dark
        case .vanishesOnLight: .light
        case .emptyFirstFrame: .everywhere
        case .margin: .edge
        }
    }
}
