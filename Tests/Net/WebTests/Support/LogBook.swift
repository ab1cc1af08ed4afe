import Logging
import Synchronization

/// Everything that is logged, in one text.
final class LogBook: Sendable {
    private let written = Mutex("")

    var text: String { written.withLock { $0 } }

    /// A logger that writes here, from trace on.
    var logger: Logger {
        Logger(label: "test") { _ in Handler(book: self) }
    }

    private struct Handler: LogHandler {
        let book: LogBook
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            book.written.withLock {
                $0 += "\(event.level) \(event.message) \(event.metadata ?? [:])\n"
            }
        }
    }
}
