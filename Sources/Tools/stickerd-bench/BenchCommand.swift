import ArgumentParser
import FoundationEssentials
import StickerValues

/// `stickerd-bench`: the cost of stickers, measured in one run, side by side with one plain encode.
@main
struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickerd-bench",
        abstract: "Measures the cost of making stickers from the pictures in a folder.",
        discussion: """
            Every round makes each sticker once and encodes its canvas once with libwebp's method 4 \
            at quality 100; times are CPU times of the one thread. The first round is not counted. \
            Animations take seconds and are made in one round of their own. Peak memory is that of a process of its own for each file.
            """,
        version: Stickerd.version)

    @Option(help: "Rounds that count.")
    var rounds = 3

    @Option(help: "The goal of stills: best, balanced or smallest.", transform: goal)
    var goal = EncodingGoal.best

    @Option(help: "Another goal of stills, measured beside the first.", transform: goal)
    var also: EncodingGoal?

    @Flag(help: "Also make all stills with one and with two workers at once.")
    var workers = false

    @Flag(help: "Also encode every form of each still in full, and report the gain of the best.")
    var regret = false

    @Flag(help: "Only encode every form of each still at every level, and print a table of them.")
    var forms = false

    @Option(help: .started("stills"), transform: { try Rival.of($0, .started) })
    var rival: [Rival] = []

    @Option(help: .warm("stills"), transform: { try Rival.of($0, .warm) })
    var warm: [Rival] = []

    @Option(help: .started("animations"), transform: { try Rival.of($0, .started) })
    var animationRival: [Rival] = []

    @Option(help: .warm("animations"), transform: { try Rival.of($0, .warm) })
    var animationWarm: [Rival] = []

    @Option(
        help: ArgumentHelp(
            "Write benchmarks.md and benchmarks.svg there; everything from the heading Findings on "
                + "is kept.", valueName: "folder"))
    var report: String?

    @Option(help: "The commit that is measured, for the report.")
    var commit = "no commit named"

    @Flag(help: .hidden)
    var single = false

    @Argument(help: "Pictures, or folders of pictures.")
    var paths: [String]

    private static func goal(_ name: String) throws -> EncodingGoal {
        guard let goal = EncodingGoal(rawValue: name) else {
            throw ValidationError("\(name) is not a goal")
        }
        return goal
    }

    func run() throws {
        let files = try paths.flatMap(Self.pictures)
        if single {
            for path in files { _ = try Trial(path: path) }
            return print(Memory.ownPeakMegabytes)
        }
        if forms {
            print(FormTable.heading)
            for path in files { try FormTable(path: path).lines.forEach { print($0) } }
            return
        }
        let report = try measured(files)
        print(report.text)
        if let folder = self.report { try write(report, to: folder) }
    }

    private func measured(_ files: [String]) throws -> Report {
        var stills = StillBench(rivals: warm + rival, goal: goal, also: also)
        var animations = AnimationBench(rivals: animationWarm + animationRival)
        var leftOut: [String] = []
        for path in files {
            let trial = try Trial(path: path)
            if let refusal = trial.refusal {
                print("\(path): left out, \(refusal)")
                leftOut.append("\(path.fileName) (\(refusal))")
            } else if trial.animated {
                animations.add(path)
            } else {
                try stills.add(path)
            }
        }
        for round in 0...rounds { try stills.run(isCounted: round > 0) }
        try animations.run()
        stills.measureMemory()
        animations.measureMemory()
        if regret { try stills.measureRegret() }
        let pace = workers ? Pace(files: stills.entries.map(\.path)) : nil
        return Report(
            stills: StillReport(bench: stills, pace: pace),
            animations: AnimationReport(bench: animations), leftOut: leftOut, commit: commit)
    }

    private func write(_ figures: Report, to folder: String) throws {
        let page = "\(folder)/benchmarks.md"
        // The page may not exist yet.
        let old = (try? String(contentsOfFile: page, encoding: .utf8)) ?? ""
        let findings = old.split(separator: "\n## Findings\n", maxSplits: 1).dropFirst()
        let kept = findings.first.map { "\n## Findings\n\($0)" } ?? ""
        try Data((figures.markdown + kept).utf8).write(to: URL(filePath: page))
        // Both goals would lie on each other.
        let dots = figures.stills.contenders.filter { $0.name != figures.stills.bench.other }
        try Data(Plot(contenders: dots).svg.utf8)
            .write(to: URL(filePath: "\(folder)/benchmarks.svg"))
    }

    /// The pictures at a path, by name; those of subfolders are ignored.
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

extension Rival {
    fileprivate static func of(_ argument: String, _ mode: Mode) throws -> Rival {
        guard let rival = Rival(argument: argument, mode: mode) else {
            throw ValidationError("\(argument) is not NAME=COMMAND")
        }
        return rival
    }
}

extension ArgumentHelp {
    /// Help for a rival that is started for each picture.
    fileprivate static func started(_ what: String) -> ArgumentHelp {
        ArgumentHelp(
            "Another program for \(what): a command to which the paths of a picture and of the WebP "
                + "to write are added. May be repeated.", valueName: "name=command")
    }

    /// Help for a rival that is started once.
    fileprivate static func warm(_ what: String) -> ArgumentHelp {
        ArgumentHelp(
            "The same for \(what) in one process: a command that reads lines of the two paths with a "
                + "tab between them, and answers each with the CPU seconds it took. May be repeated.",
            valueName: "name=command")
    }
}
