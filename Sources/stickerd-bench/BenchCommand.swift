import ArgumentParser
import FoundationEssentials
import StickerModel

/// `stickerd-bench`: what stickers cost, measured in one run, side by side with one plain encode.
@main
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickerd-bench",
        abstract: "Measures what it costs to make stickers of the pictures in a folder.",
        discussion: """
            Every round makes each sticker once and encodes its canvas once with libwebp's method 4 \
            at quality 100; times are CPU times of the one thread. The first round is not counted. \
            Peak memory is that of a process of its own for each file.
            """,
        version: Stickerd.version)

    @Option(help: "Rounds that count.")
    var rounds = 3

    @Flag(help: "Also make everything with one and with two workers at once.")
    var workers = false

    @Option(
        help: ArgumentHelp(
            "A command that prints the CPU seconds that a rival takes for the "
                + "file whose path is added to it.", valueName: "command"))
    var rival: String?

    @Option(help: ArgumentHelp("Write the figures as Markdown.", valueName: "file"))
    var markdown: String?

    @Flag(help: .hidden)
    var single = false

    @Argument(help: "Pictures, or folders of pictures.")
    var paths: [String]

    func run() throws {
        let files = try paths.flatMap(Self.pictures)
        if single {
            for path in files { _ = try Trial(path: path) }
            return print(Child.ownPeakMegabytes)
        }
        var bench = Bench(rival: rival)
        for path in files { bench.add(path) }
        for round in 0...rounds { try bench.run(isCounted: round > 0) }
        bench.measureMemory()
        let pace = workers ? try Pace(files: files) : nil
        let report = Report(bench: bench, pace: pace)
        print(report.text)
        guard let markdown else { return }
        try Data(report.markdown.utf8).write(to: URL(fileURLWithPath: markdown))
    }

    /// The pictures at a path, by name; a folder's own, not those of folders in it.
    private static func pictures(_ path: String) throws -> [String] {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ValidationError("\(path): there is no such file")
        }
        guard isFolder else { return [path] }
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            .filter { name in
                let key = SourceKey(drop: path, directory: [], name: Array(name.utf8))
                return FileKind.of(key) == .picture
            }.map { "\(path)/\($0)" }
    }
}
