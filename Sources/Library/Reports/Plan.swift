import FoundationEssentials
public import StickerConfiguration
public import StickerStore
import StickerValues

/// The effect of a reload of the configuration.
public struct Plan: Encodable {
    /// Keys that differ from the configuration in force, or the last one.
    public let changes: [SettingChange]
    /// Drops that are not where they are recorded.
    public let drops: [DropPlan]
    /// Every category with stickers that stay, and how many are to be made again.
    public let categories: [StaleCategory]
    /// On one worker, from past jobs; absent before the first sticker.
    public let secondsPerSticker: Double?
    /// The number of pictures made at once.
    public let workers: Int
    /// How long replaced files stay.
    public let oldRevisionHours: Double
    /// The most bytes of new files for further targets, by category.
    public let newBytesMax: [String: Int]
    /// Possible faults of outdated stickers, in the order of the table of fixed faults.
    public let faults: [PlannedFault]
    /// The process number of the daemon that holds the state folder.
    public let daemon: Int32?

    /// Compares `configuration` with the content of `store`.
    ///
    /// - Parameters:
    ///   - configuration: as its file has it now.
    ///   - store: the library.
    ///   - daemon: the process number of the daemon, if one runs.
    /// - Throws: `StoreError` if the database cannot be read.
    public init(
        _ configuration: Configuration, _ store: LibraryStore, daemon: Int32?
    ) throws(StoreError) {
        changes =
            try store.operations.configurationRecord().map {
                Configuration.changes(from: $0.settings, to: configuration.settings)
            } ?? []
        drops = try store.sources.outlook(of: configuration.drops).map(DropPlan.init)
        let leaving = drops.filter { $0.change == .leaving }.map(\.path)
        categories = try store.queue.stale(butFor: Set(leaving)) {
            configuration.recipeIDs(of: $0, granting: $1)
        }
        secondsPerSticker = try store.operations.averageJobMilliseconds().map { $0 / 1000 }
        workers = configuration.workerCount
        oldRevisionHours = configuration.publish.oldRevisionHours
        newBytesMax = Dictionary(
            uniqueKeysWithValues: categories.map {
                ($0.category.rawValue, configuration.bytesMax($0))
            })
        faults = PlannedFault.all(in: categories)
        self.daemon = daemon
    }

    /// A possible fault of outdated stickers, in one line.
    public func sentence(of fault: PlannedFault) -> String {
        "\(fault.stickers.grouped) \(fault.isWrong ? "wrong" : "outdated"): \(fault.sentence) (\(fault.fault))"
    }

    /// The command that makes the wrong ones again; `nil` if there are none.
    public var remedyOfWrong: String? {
        let wrong = categories.reduce(0) { $0 + $1.wrong }
        guard wrong > 0 else { return nil }
        return
            "\(stickerctl: "redo --wrong") makes these \(wrong.counted("sticker", "stickers")) again"
    }

    /// The command that puts the file in force; a restart also does.
    public var remedy: String {
        let needsRestart = changes.contains(where: \.needsRestart)
        guard let daemon else { return "the next start of stickerd does" }
        guard !isService(daemon) else {
            return "systemctl \(needsRestart ? "restart" : "reload") stickerd"
        }
        return needsRestart
            ? "stop stickerd with kill \(daemon), and start it again" : "kill -HUP \(daemon)"
    }

    /// Whether systemd started the process as stickerd.service, by its control group.
    private func isService(_ process: Int32) -> Bool {
        // If it cannot be read, a service is likelier.
        guard let group = try? String(contentsOfFile: "/proc/\(process)/cgroup", encoding: .utf8)
        else { return true }
        return group.split(separator: "\n").contains { $0.hasSuffix("/stickerd.service") }
    }

    /// The work for a category, in one line.
    public func sentence(of category: StaleCategory) -> String {
        let all = category.stickers.counted("picture", "pictures")
        var line = "\(category.category): \(all)"
        if category.relisted > 0 {
            line += ", \(category.relisted.grouped) to publish again with existing files"
        }
        if category.outdated > 0 {
            line +=
                ", \(category.outdated.grouped) made by an older release (\(stickerctl: "redo --outdated"))"
        }
        if category.wrong > 0 { line += ", \(category.wrong.grouped) of them wrong" }
        if category.unseen > 0 {
            line += ", \(category.unseen.grouped) of an older release not looked at yet"
        }
        if category.unexamined > 0 {
            line += ", \(category.unexamined.grouped) to read again: those in CMYK are encoded"
        }
        guard category.stale > 0 else {
            let others =
                category.relisted + category.outdated + category.unexamined + category.unseen
            return others > 0 ? line : line + ", no change"
        }
        line += ", \(category.stale.grouped) to encode"
        if let secondsPerSticker {
            let seconds = Double(category.stale) * secondsPerSticker / Double(max(1, workers))
            line += ", about \(Int(seconds.rounded(.up)).asTime)"
        }
        if let bytes = newBytesMax[category.category.rawValue], bytes > 0 {
            line += ", at most \(bytes.asBytes) of new files"
        }
        guard category.staleBytes > 0 else { return line }
        let hours = Int((oldRevisionHours * 3600).rounded()).asTime
        return line + ", up to \(category.staleBytes.asBytes) more for \(hours)"
    }
}

extension Configuration {
    /// The most bytes of the new files of a category.
    fileprivate func bytesMax(_ category: StaleCategory) -> Int {
        guard !category.newFiles.isEmpty else { return 0 }
        let names = category.newFiles.map(\.target)
        let rules = Recipe(settings: sticker, targets: names.compactMap { targets[$0] }).targets
        return category.newFiles.reduce(0) { sum, new in
            let target = rules.first { $0.name == new.target }
            let limit = new.animated ? target?.moving?.bytesMax : target?.still?.bytesMax
            return sum + new.files * (limit ?? 0)
        }
    }
}
