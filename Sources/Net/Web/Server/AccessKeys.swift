import Logging
import StickerConfiguration
import StickerValues
import Synchronization

/// The accepted keys. Those in the file of the configuration can change while the server runs.
final class AccessKeys: Sendable {
    private let keys: Mutex<Set<String>>

    /// - Parameter keys: the accepted keys; if there are none, any is accepted.
    init(_ keys: some Sequence<String>) { self.keys = Mutex(Set(keys)) }

    /// The keys accepted now.
    var present: Set<String> { keys.withLock { $0 } }

    /// Reads the file again; with a fault in it, the old keys stay.
    func reload(_ settings: WebConfiguration, credentials: String?, _ logger: Logger) {
        do {
            let read = try settings.checkedKeys(credentials: credentials)
            keys.withLock { $0 = Set(read) }
            logger.notice("keys of clients were read", metadata: ["keys": "\(read.count)"])
        } catch {
            for fault in error.faults {
                logger.error("keys stay as they were", metadata: ["detail": "\(fault)"])
            }
        }
    }
}
