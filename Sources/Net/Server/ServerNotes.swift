import Logging
import StickerHTTP
import Synchronization

/// Logs refusals and closed connections: the first time, and again if they continue an hour later.
final class ServerNotes: Sendable {
    private static let pause = Duration.seconds(3600)

    private let logger: Logger
    private let count: @Sendable (ServerEvent) -> Void
    private let toldAt = Mutex<[String: ContinuousClock.Instant]>([:])

    /// - Parameters:
    ///   - logger: receives the lines.
    ///   - count: receives each event.
    init(_ logger: Logger, count: @escaping @Sendable (ServerEvent) -> Void) {
        (self.logger, self.count) = (logger, count)
    }

    /// Counts an event, and logs refusals.
    func note(_ event: ServerEvent) {
        count(event)
        guard case .cut(let why) = event else { return }
        switch why {
        case .client:
            tell("a client has too many connections; the one idle longest is closed")
        case .places:
            tell("too many clients are connected; those idle longest are disconnected")
        case .slow:
            tell("clients take large answers too slowly; their connections are closed")
        }
    }

    /// Logs a line, unless it was logged in the last hour.
    func tell(_ line: String, _ metadata: @autoclosure () -> Logger.Metadata = [:]) {
        let isNew = toldAt.withLock { toldAt in
            if let told = toldAt[line], told + Self.pause > .now { return false }
            toldAt[line] = .now
            return true
        }
        if isNew { logger.warning("\(line)", metadata: metadata()) }
    }
}
