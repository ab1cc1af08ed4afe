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

    @Flag(help: "Also try every form of each still in full, and tell how much better the best is.")
    var regret = false

    @Option(
        help: ArgumentHelp(
            "Another program: a command to which the paths of a picture and of the WebP to write "
                + "are added. May be repeated.", valueName: "name=command"),
        transform: { argument in
            guard let rival = Rival(argument: argument) else {
                throw ValidationError("\(argument) is not NAME=COMMAND")
            }
            return rival
        })
    var rival: [Rival] = []

    @Option(
        help: ArgumentHelp(
            "Write benchmarks.md and benchmarks.svg there; everything from the heading Findings on "
                + "is kept.", valueName: "folder"))
    var report: String?

    @Option(help: "What is measured, for the report.")
    var commit = "no commit named"

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
        var bench = Bench(rivals: rival)
        for path in files { bench.add(path) }
        for round in 0...rounds { try bench.run(isCounted: round > 0) }
        bench.measureMemory()
        if regret { try bench.measureRegret() }
        let pace = workers ? Pace(files: bench.entries.map(\.path)) : nil
        let figures = Report(bench: bench, pace: pace, commit: commit)
        print(figures.text)
        if let report { try write(figures, to: report) }
    }

    private func write(_ figures: Report, to folder: String) throws {
        let page = "\(folder)/benchmarks.md"
        // There may be none yet.
        let old = (try? String(contentsOfFile: page, encoding: .utf8)) ?? ""
        let findings = old.split(separator: "\n## Findings\n", maxSplits: 1).dropFirst()
        let kept = findings.first.map { "\n## Findings\n\($0)" } ?? ""
        try Data((figures.markdown + kept).utf8).write(to: URL(filePath: page))
        try Data(Plot(contenders: figures.contenders).svg.utf8)
            .write(to: URL(filePath: "\(folder)/benchmarks.svg"))
    }

    /// The pictures at a path, by name; a folder's own pictures, not those of its subfolders.
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
