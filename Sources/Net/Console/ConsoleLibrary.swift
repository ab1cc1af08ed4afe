import Glibc
import StickerHTTP
import StickerStore
import Synchronization

/// The library, opened once the daemon has created it: on a new machine both may start at the same time.
final class ConsoleLibrary: Sendable {
    private let path: String
    private let open: @Sendable () throws -> LibraryStore
    private let opened = Mutex<LibraryStore?>(nil)

    /// - Parameters:
    ///   - path: the database.
    ///   - open: opens it.
    init(at path: String, open: @escaping @Sendable () throws -> LibraryStore) {
        (self.path, self.open) = (path, open)
    }

    /// Whether there is no library yet.
    var isMissing: Bool { access(path, F_OK) != 0 && errno == ENOENT }

    /// The library.
    ///
    /// - Throws: `WebError` while there is none, or the error of opening it.
    var store: LibraryStore {
        get throws {
            try opened.withLock { opened in
                if let opened { return opened }
                guard !isMissing else {
                    throw WebError(
                        status: 503, message: "there is no library yet",
                        remedy: "start stickerd, which makes it; this page then shows it by itself")
                }
                let store = try open()
                opened = store
                return store
            }
        }
    }
}
