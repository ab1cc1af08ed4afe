import Logging
import StickerConfiguration
import StickerServices
import StickerValues
import Synchronization

/// The categories of upstreams, with their desks.
final class Upstreams: Sendable {
    private static let agent = "stickerd-web/\(Stickerd.version)"
    /// The most time and bytes of an answer: fifty stickers of GIPHY with all renditions are 0.5 MB.
    private static let (secondsMax, bytesMax) = (8, 2 << 20)

    /// How long clients wait for upstreams.
    struct Patience: Sendable {
        /// For the category of one upstream.
        var category = Duration.seconds(9)
        /// For lists in which upstreams follow our stickers, or if an outdated answer is known.
        var list = Duration.milliseconds(1500)
    }

    /// How long clients wait.
    let patience: Patience
    /// All configured upstreams, by id.
    let desks: [UpstreamDesk]
    /// Distinguishes configurations; empty without upstreams.
    let print: String
    private let logger: Logger
    private let sorted = Mutex(Sorted())

    /// The upstreams shown beside a state of the library.
    private struct Sorted {
        var mark: String?
        var shown: [UpstreamDesk] = []
        var hidden: [CategoryID] = []
    }

    /// Creates them; no request is sent before a client asks.
    ///
    /// - Parameters:
    ///   - configured: the categories.
    ///   - credentials: the folder in which systemd puts keys.
    ///   - fetcher: sends requests; `nil` for one with the usual limits.
    ///   - patience: how long clients wait.
    ///   - clock: the time.
    ///   - metrics: counts requests.
    ///   - logger: logs faults, once each.
    init(
        _ configured: [UpstreamConfiguration], credentials: String?, fetcher: Fetcher? = nil,
        patience: Patience = Patience(),
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        metrics: WebMetrics, logger: Logger
    ) {
        (self.logger, self.patience) = (logger, patience)
        var usual = Fetcher(agent: Self.agent)
        (usual.seconds, usual.bytesMax) = (Self.secondsMax, Self.bytesMax)
        let fetcher = fetcher ?? usual
        desks = configured.map { upstream in
            UpstreamDesk(
                upstream, key: Self.key(of: upstream, credentials, logger), fetcher: fetcher,
                clock: clock,
                note: { event in
                    metrics.note(event, of: upstream.identifier)
                    Self.tell(event, of: upstream, logger)
                })
        }
        var print = Fingerprint()
        for var upstream in configured {
            // The place of a key changes no answer.
            upstream.keyFile = nil
            print.add(Array("\(upstream)".utf8))
        }
        self.print = configured.isEmpty ? "" : print.text
    }

    /// The hosts of their pictures.
    var imageHosts: [String] {
        Set(desks.flatMap(\.upstream.imageHosts)).sorted()
    }

    /// Reads their keys again.
    func reload(credentials: String?) {
        guard !desks.isEmpty else { return }
        let keys = desks.map { Self.key(of: $0.upstream, credentials, logger) }
        for (desk, key) in zip(desks, keys) { desk.take(key: key) }
        logger.notice(
            "keys for upstreams were read", metadata: ["keys": "\(keys.compactMap(\.self).count)"])
    }

    /// The upstreams shown beside a library: a category of ours with the id or title of one hides it, as ids are
    /// permanent, and editors crash on a repeated title.
    func shown(beside library: LibraryView.Facts) -> [UpstreamDesk] {
        guard !desks.isEmpty else { return [] }
        return sorted(beside: library).shown
    }

    /// An upstream that is shown.
    func shown(_ id: String, beside library: LibraryView.Facts) -> UpstreamDesk? {
        shown(beside: library).first { $0.upstream.identifier.rawValue == id }
    }

    /// Their problems, for operators.
    func troubles(beside library: LibraryView.Facts) -> [(category: CategoryID, trouble: String)] {
        guard !desks.isEmpty else { return [] }
        let hidden = sorted(beside: library).hidden
        return desks.compactMap { desk in
            let id = desk.upstream.identifier
            let trouble = hidden.contains(id) ? Self.isHidden : desk.trouble
            return trouble.map { (id, $0) }
        }
    }

    private static let isHidden =
        "it is not shown: a category of the library has its id or title; give it others"

    private func sorted(beside library: LibraryView.Facts) -> Sorted {
        let (sorted, news) = sorted.withLock { sorted in
            guard sorted.mark != library.mark else { return (sorted, [CategoryID]()) }
            let before = Set(sorted.hidden)
            let ids = Set(library.categories.map(\.identifier))
            let titles = Set(library.categories.map { $0.title.lowercased() })
            let isHidden = { (desk: UpstreamDesk) in
                ids.contains(desk.upstream.identifier)
                    || titles.contains(desk.upstream.title.lowercased())
            }
            sorted = Sorted(
                mark: library.mark, shown: desks.filter { !isHidden($0) },
                hidden: desks.filter(isHidden).map(\.upstream.identifier))
            return (sorted, sorted.hidden.filter { !before.contains($0) })
        }
        for id in news {
            logger.warning(
                "an upstream is not shown",
                metadata: ["upstream": "\(id)", "detail": "\(Self.isHidden)"])
        }
        return sorted
    }

    /// One missing key must not stop a server with others to serve.
    private static func key(
        of upstream: UpstreamConfiguration, _ credentials: String?, _ logger: Logger
    ) -> String? {
        do {
            return try upstream.key(credentials: credentials)
        } catch {
            for fault in error.faults {
                logger.error(
                    "an upstream cannot be asked", metadata: ["detail": "\(fault)"])
            }
            return nil
        }
    }

    private static func tell(
        _ event: UpstreamDesk.Event, of upstream: UpstreamConfiguration, _ logger: Logger
    ) {
        let id = upstream.identifier
        switch event {
        case .failed(let fault, let isNews):
            let needsSomebody = fault.kind == .key || fault.kind == .redirect
            logger.log(
                level: !isNews ? .debug : needsSomebody ? .error : .warning,
                "an upstream does not answer",
                metadata: ["upstream": "\(id)", "detail": "\(fault)"])
        case .answered(let leftOut, let isNews):
            if isNews {
                logger.notice("an upstream answers again", metadata: ["upstream": "\(id)"])
            }
            guard !leftOut.isEmpty else { return }
            let counts = leftOut.map { "\($0.rawValue) \($1)" }.sorted().joined(separator: ", ")
            logger.debug(
                "stickers of an upstream were left out",
                metadata: ["upstream": "\(id)", "detail": "\(counts)"])
        }
    }
}
