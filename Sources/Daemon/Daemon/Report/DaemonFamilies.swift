import StickerMetrics

/// Every metric of the daemon. stickerd(8) describes them for operators.
enum DaemonFamilies {
    /// The prefix of all names.
    static let prefix = "stickerd"

    /// All of them, in the order of the file.
    static let all =
        ProcessMetrics.families(prefix) + [written, ready, obstacle] + queue + library + watching
        + space + work + publishing

    // MARK: The daemon

    static let written = gauge(
        "metrics_written_timestamp_seconds", "When these figures were written.")
    static let ready = gauge(
        "ready", "Whether everything that was in the drops at the start is recorded.")
    static let obstacle = gauge(
        "obstacle", "Whether this trouble lasts; work goes on by itself once it ends.",
        labels: ["kind"])

    // MARK: The queue

    private static let queue = [
        jobs, oldestWaiting, lanes, attention, refusedFiles, missingFiles,
    ]
    static let jobs = gauge(
        "jobs", "Jobs by state; those that ended are kept for queue.historyDays.",
        labels: ["state"])
    static let oldestWaiting = gauge(
        "oldest_waiting_job_age_seconds",
        "How long ago the file of the oldest waiting job was noticed; 0 if none waits.")
    static let lanes = gauge("lanes", "How many pictures may be made at once.")
    static let attention = gauge(
        "attention_items", "Items that need attention, as in attention.json.", labels: ["kind"])
    static let refusedFiles = gauge(
        "refused_files", "Refused files that need attention.", labels: ["reason"])
    static let missingFiles = gauge(
        "missing_files", "Files that are gone, while their stickers still wait for them.")

    // MARK: What is published

    private static let library = [stickers, categories]
    static let stickers = gauge("stickers", "Published stickers.")
    static let categories = gauge("categories", "Categories with published stickers.")

    // MARK: The drops

    private static let watching = [
        drops, dropsAway, folders, foldersPolled, foldersUnreadable, ignoredFiles, lastScan, scans,
        overflows,
    ]
    static let drops = gauge("drops", "Configured drop folders.")
    static let dropsAway = gauge("drops_away", "Drop folders that are missing or replaced.")
    static let folders = gauge("watched_folders", "Folders that are watched, drops included.")
    static let foldersPolled = gauge(
        "polled_folders", "Folders without events, because the kernel grants no more watches.")
    static let foldersUnreadable = gauge("unreadable_folders", "Folders that cannot be read.")
    static let ignoredFiles = gauge("ignored_files", "Files ignored because of their names.")
    static let lastScan = gauge(
        "last_scan_timestamp_seconds", "When all folders were last listed; 0 before.")
    static let scans = counter("scans_total", "Times that all folders were listed.")
    static let overflows = counter(
        "inotify_overflows_total", "Times that the kernel's queue of events overflowed.")

    // MARK: Space

    private static let space = [free, reserve, database]
    static let free = gauge(
        "free_bytes", "Free space where files are written.", labels: ["folder"])
    static let reserve = gauge(
        "free_reserve_bytes", "No job starts with less free space: publish.freeSpaceReserveBytes.")
    static let database = gauge("database_bytes", "The database, with its log.")

    // MARK: Work

    private static let work = [
        attempts, jobsEnded, refusals, workerDeaths, latency, steps, encodes, filesWritten,
        bytesWritten,
    ]
    static let attempts = counter(
        "attempts_total", "Attempts at jobs, by how they ended.", labels: ["outcome"])
    static let jobsEnded = counter(
        "jobs_ended_total", "Jobs that ended after work, by their last state.", labels: ["state"])
    static let refusals = counter(
        "refusals_total", "Files that were refused after work.", labels: ["reason"])
    static let workerDeaths = counter(
        "worker_deaths_total", "Workers that crashed, hung or took too much.", labels: ["reason"])
    static let latency = histogram(
        "job_latency_seconds", "Time from noticing a file to the record of its sticker.",
        [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800], labels: ["priority"])
    static let steps = histogram(
        "step_duration_seconds", "Time that the steps of jobs took.",
        [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60], labels: ["step"])
    static let encodes = histogram(
        "sticker_encodes", "Encodings tested for a sticker, over all its targets.",
        [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64])
    static let filesWritten = counter(
        "files_written_total", "Pictures and manifests put in place.", labels: ["kind"])
    static let bytesWritten = counter(
        "written_bytes_total", "Their bytes.", labels: ["kind"])

    // MARK: Publishing

    private static let publishing = [manifestTimes]
    static let manifestTimes = histogram(
        "manifest_write_duration_seconds", "Time to write a manifest.",
        [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10])

    // MARK: -

    private static func gauge(
        _ name: String, _ help: String, labels: [String] = []
    ) -> MetricFamily {
        MetricFamily(.gauge, "\(prefix)_\(name)", help, labels: labels)
    }

    private static func counter(
        _ name: String, _ help: String, labels: [String] = []
    ) -> MetricFamily {
        MetricFamily(.counter, "\(prefix)_\(name)", help, labels: labels)
    }

    private static func histogram(
        _ name: String, _ help: String, _ bounds: [Double], labels: [String] = []
    ) -> MetricFamily {
        MetricFamily(.histogram(bounds), "\(prefix)_\(name)", help, labels: labels)
    }
}
