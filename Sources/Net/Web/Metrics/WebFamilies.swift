import StickerMetrics

/// Every metric of the web server. stickerd-web(8) describes them for operators.
enum WebFamilies {
    /// The prefix of all names.
    static let prefix = "stickerd_web"

    /// All of them, in the order of the answer.
    static let all =
        ProcessMetrics.families(prefix) + [
            requests, times, bytes, ready, generation, stickers, categories, removed, trouble,
            published, pages, connections, waiting, cuts, hasDaemon, hasUploadDaemon,
            upstreamCalls, upstreamLeftOut,
            upstreamTrouble,
        ]

    static let requests = MetricFamily(
        .counter, "\(prefix)_requests_total", "Requests that were answered.",
        labels: ["route", "status"])
    static let times = MetricFamily(
        .histogram([0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]),
        "\(prefix)_request_duration_seconds",
        "Time from the whole request to the beginning of its answer.", labels: ["route"])
    static let bytes = MetricFamily(
        .counter, "\(prefix)_answered_bytes_total", "Bytes of the bodies of answers.",
        labels: ["route"])
    static let ready = gauge("ready", "Whether everything published was read.")
    static let generation = gauge(
        "library_generation", "Changes read since the start.")
    static let stickers = gauge("stickers", "Stickers that are served.")
    static let categories = gauge("categories", "Categories that are served.")
    static let removed = gauge("removed_stickers", "Stickers that are remembered as removed.")
    static let trouble = gauge(
        "trouble", "Whether something published cannot be read; its last state is served.")
    static let published = gauge(
        "last_publication_timestamp_seconds",
        "When the newest served data was written; 0 if there is none.")
    static let pages = gauge("open_pages", "Pages that follow changes.")
    static let connections = gauge("connections", "Clients that are connected.")
    static let waiting = gauge(
        "waiting_bytes",
        "Bytes of answers that wait for clients, or for a place, small answers not counted.")
    static let cuts = MetricFamily(
        .counter, "\(prefix)_ended_connections_total",
        "Connections closed to make room.", labels: ["reason"])
    static let hasDaemon = gauge(
        "daemon_metrics", "Whether the figures of a daemon on this machine are in this answer.")
    static let hasUploadDaemon = gauge(
        "uploads_daemon", "Whether a daemon makes stickers of uploads, where there are any.")

    static let upstreamCalls = MetricFamily(
        .counter, "\(prefix)_upstream_calls_total",
        "Requests to upstreams, by outcome.",
        labels: ["upstream", "outcome"])
    static let upstreamLeftOut = MetricFamily(
        .counter, "\(prefix)_upstream_left_out_total",
        "Stickers of upstreams that were left out.", labels: ["upstream", "reason"])
    static let upstreamTrouble = MetricFamily(
        .gauge, "\(prefix)_upstream_trouble",
        "Whether an upstream has a fault.", labels: ["upstream"])

    private static func gauge(_ name: String, _ help: String) -> MetricFamily {
        MetricFamily(.gauge, "\(prefix)_\(name)", help)
    }
}
