import ArgumentParser
import FoundationEssentials
import Glibc
import StickerConfiguration
import StickerReports
import StickerSmart
import StickerStore
import StickerSystem
import StickerValues

/// `stickerctl status`: shows the overall state in a few lines.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows published, waiting and refused files.",
        discussion: """
            Ends with 3 if something needs attention: refused files, a pause, a drop that is away, \
            a held deletion, packs that are not ready, an unknown language.
            """)

    @OptionGroup var shared: SharedOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Stay, and show it again every second, with what is made now.")
    var watch = false

    func validate() throws {
        guard !(watch && json) else {
            throw ValidationError("--watch is for people; ask for --json as often as you need it")
        }
    }

    func run() throws {
        guard !watch else { return try stay() }
        let (file, faults) = try shared.loadFolders()
        let report = try StatusReport(file, faults, try shared.openStore(.reader))
        if json {
            try printJSON(report)
        } else {
            for line in report.lines { print(line) }
        }
        if report.needsAttention { throw ExitCode(3) }
    }

    /// Fills the terminal until it is interrupted.
    private func stay() throws {
        guard isatty(STDOUT_FILENO) == 1 else {
            throw ValidationError("--watch needs a terminal; without it, the state is printed once")
        }
        let store = try shared.openStore(.reader)
        var executing = JobFilter()
        executing.states = [.executing]
        print("\u{1B}[2J", terminator: "")
        while true {
            let (file, faults) = try shared.loadFolders()
            let report = try StatusReport(file, faults, store, countsOutdated: false)
            let jobs = try store.operations.jobs(executing, limit: Terminal.rows)
            let screen =
                report.lines + report.bar + (report.daemon == nil ? [] : jobs.map(\.making))
            // Each line is written over the one before, so that nothing flickers.
            let lines = screen.prefix(Terminal.rows - 1).map { "\($0)\u{1B}[K\n" }
            print("\u{1B}[H\(lines.joined())\u{1B}[J", terminator: "")
            fflush(nil)
            sleep(1)
        }
    }
}

extension JobRecord {
    /// A job that is executing, in one line.
    fileprivate var making: String {
        let line = "  \((startedAt?.ago ?? "").leftPadded(to: 6))  \(FileName.escaped(file))"
        return String(line.prefix(79))
    }
}

extension StatusReport {
    /// The finished part of the batch as a bar.
    fileprivate var bar: [String] {
        guard let done = batch?.workDone else { return [] }
        let width = 40
        let filled = Int((done * Double(width)).rounded())
        let bar =
            String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        return entry("", "[\(Style.fine(bar))] \(Int(done * 100)) %")
    }

    /// Reads the state of the library of a file with these faults.
    init(
        _ file: ConfigurationFile, _ faults: [JSONFault], _ store: LibraryStore,
        countsOutdated: Bool = true
    ) throws {
        var (file, faults) = (file, faults)
        do {
            if faults.isEmpty {
                file = try file.readingFiles()
                try file.configuration.checkSmart()
            }
        } catch {
            faults = error.faults
        }
        try self.init(
            file.configuration, faults: faults.map(\.description), store,
            daemon: StateLock.holder(state: file.configuration.state),
            // A detail, shown if known.
            freeBytes: try? FreeSpace.bytes(at: file.configuration.out),
            countsOutdated: countsOutdated)
    }

    /// For a terminal, at most 80 columns.
    var lines: [String] { head + work + surroundings + troubles + attention }

    private var head: [String] {
        guard let daemon else { return [Style.waiting("stickerd does not run")] }
        let version = live.map { " \($0.version)" } ?? ""
        let time = live.map { ", for \($0.startedAt.ago)" } ?? ""
        let state = live?.isReady == false ? "starts" : "runs"
        return [Style.fine("stickerd\(version) \(state)") + " (process \(daemon))\(time)"]
    }

    private var work: [String] {
        var lines = entry(
            "published",
            status.stickers.counted("sticker", "stickers") + " in "
                + status.categories.counted("category", "categories"))
        lines += entry(
            "work",
            daemon == nil
                ? "\((status.waiting + status.working).grouped) waiting for the daemon · "
                    + status.needAttention.needingAttention
                : "\(status.waiting.grouped) waiting · \(status.working.grouped) working · "
                    + status.needAttention.needingAttention)
        if let batch { lines += entry("batch", batch.shown) }
        if let oldest = status.oldestWaitingMilliseconds, oldest > 0 {
            lines += entry("oldest", "waiting for \(Int(oldest / 1000).asTime)")
        }
        if let outdated = status.outdated, outdated > 0 {
            let count = outdated.counted("sticker is", "stickers are")
            lines += entry(
                "outdated", "\(count) of an older release: \(stickerctl: "redo --outdated")")
        }
        if let wrong = status.wrong, wrong > 0 {
            let count = wrong.counted("of them was", "of them were")
            lines += entry("wrong", "\(count) published wrong: \(stickerctl: "plan")")
        }
        for drop in unlistedDrops {
            let stickers = drop.stickers.counted("sticker stays", "stickers stay")
            lines += entry(
                "unlisted",
                "drop \(FileName.escaped(drop.path)), its \(stickers): \(stickerctl: "plan")")
        }
        if let goneFiles { lines += entry("missing", goneFiles) }
        lines += libraryPacks.flatMap { entry("library", $0.sentence) }
        return lines + packs(shortPacks, are: "short of stickers")
    }

    private var surroundings: [String] {
        var lines: [String] = []
        if let freeBytes { lines += entry("space", "\(Int(freeBytes).asBytes) free") }
        if daemon != nil, let live, let scannedAt = live.scannedAt {
            lines += entry(
                "watch",
                live.folders.counted("folder", "folders") + ", all looked at \(scannedAt.ago) ago"
                    + (live.ignoredFiles > 0
                        ? ", \(live.ignoredFiles.counted("file", "files")) ignored" : ""))
        }
        if let earlier {
            lines += entry(
                "rollback",
                "to \(earlier.from) until \(earlier.keptUntil.asDate): \(stickerctl: "rollback")")
        }
        return lines + sky + settings
    }

    private var sky: [String] {
        guard let weather else { return [] }
        let absent = "\(withdrawn.counted("sticker is", "stickers are")) absent"
        let trouble = weather.trouble.map(FileName.escaped)
        guard let reading = weather.weather, let time = weather.measuredAt else {
            let why = trouble ?? "it is not known"
            return entry("weather", withdrawn > 0 ? "\(absent): \(why)" : why)
        }
        let celsius = Int((reading.kelvin - 273.15).rounded())
        let shown = "\(celsius) °C, \(reading.condition.rawValue), \(time.ago) ago"
        return entry("weather", trouble.map { "\(shown); \($0)" } ?? shown)
    }

    private var settings: [String] {
        guard let configuration else {
            let count = faults.count.counted("fault", "faults")
            return faults.isEmpty
                ? [] : entry("settings", "the file has \(count): \(stickerctl: "check")")
        }
        let inForce = "those of \(configuration.loadedAt.asDate) are in force"
        if !faults.isEmpty {
            let count = faults.count.counted("fault", "faults")
            return entry(
                "settings", "\(inForce), the file now has \(count): \(stickerctl: "check")")
        }
        guard changedKeys > 0 else { return [] }
        let count = changedKeys.counted("key", "keys")
        return entry("settings", "\(inForce), the file differs in \(count): \(stickerctl: "plan")")
    }

    private var troubles: [String] {
        var lines =
            pauses.lines + holds.flatMap(\.lines) + packs(lackingPacks, are: "not ready") + slow
        guard daemon != nil, let live else { return lines }
        if let paused = live.paused {
            lines += entry("PAUSED", "\(FileName.escaped(paused)); goes on by itself")
        }
        lines += live.troubles.flatMap { entry("trouble", FileName.escaped($0)) }
        return lines
    }

    private var slow: [String] {
        guard let first = slowTemplates.first else { return [] }
        let others = slowTemplates.count - 1
        let isAll = slowTemplates.count < AttentionReport.slowMax
        let more =
            others > 0
            ? "; \(others.counted("other", "others"))\(isAll ? "" : " or more") too" : ""
        return entry("slow", "\(first.file): \(first.sentence)\(more); \(SlowTemplate.remedy)")
    }

    private func packs(_ packs: [LackingPacks], are state: String) -> [String] {
        guard let first = packs.first else { return [] }
        let categories = Set(packs.map(\.category)).count
        guard categories > 1 else {
            let platforms = packs.map(\.platform.rawValue).joined(separator: ", ")
            return entry(
                "packs", "\(state) for \(platforms): \(stickerctl: "lint \(first.category)")")
        }
        let count = categories.counted("category is", "categories are")
        return entry("packs", "\(count) \(state), one is \(first.category): \(first.remedy)")
    }

    private var attention: [String] {
        guard status.needAttention > 0 else { return [] }
        let reasons = status.reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return [Style.alarming("need attention")]
            + reasons.flatMap { reason, count in
                entry(
                    "\(count.grouped) x",
                    "\(FileName.escaped(reason)): \(stickerctl: "jobs --reason \(FileName.escaped(reason))")"
                )
            }
    }
}

extension LibraryPacks {
    /// The most categories that are named.
    private static let namedAtMost = 5

    /// The number, and the categories that are left out.
    fileprivate var sentence: String {
        let count =
            "\(platform.rawValue): \(packs.counted("pack", "packs")) of "
            + categories.counted("category", "categories")
        guard !leftOut.isEmpty else { return count }
        let names = leftOut.prefix(Self.namedAtMost).map(\.rawValue).joined(separator: ", ")
        let more = leftOut.count - Self.namedAtMost
        return "\(count), without \(names)\(more > 0 ? " and \(more.grouped) more" : "")"
    }
}

extension DeletionHold {
    /// The held deletions, since when, and how to end each.
    var lines: [String] {
        let name = FileName.escaped(name)
        let files =
            isEmptied
            ? "empty, \(missing.grouped) of its \(stickers.grouped) files are gone"
            : "\(missing.grouped) of \(stickers.grouped) files are gone"
        return entry("HOLD", "\(name): \(files) since \(heldAt.asDate); the stickers stay")
            + entry("", "A share that is not mounted? Bring the files back, or: \(confirmation)")
    }
}
