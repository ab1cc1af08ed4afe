import Dispatch
import Glibc
import Logging
import StickerModel
import Synchronization

/// The keys that are taken. Those in the file of the configuration can change while the server runs.
final class AccessKeys: Sendable {
    private let keys: Mutex<Set<String>>

    /// - Parameter keys: those that are taken; if there are none, any is.
    init(_ keys: some Sequence<String>) { self.keys = Mutex(Set(keys)) }

    /// Those that are taken now.
    var present: Set<String> { keys.withLock { $0 } }

    /// Reads the file again; if it has a fault, everything stays as it was.
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

/// Calls something at each SIGHUP, which would end the program otherwise.
final class HangUp {
    private let source: any DispatchSourceSignal

    init(_ body: @escaping @Sendable () -> Void) {
        signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(
            signal: SIGHUP, queue: DispatchQueue(label: "stickerd-web.signals"))
        source.setEventHandler { @Sendable in body() }
        source.resume()
    }

    deinit { source.cancel() }
}
