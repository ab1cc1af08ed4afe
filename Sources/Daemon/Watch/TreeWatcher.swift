import Glibc
public import Logging
public import StickerConfiguration
import StickerSystem
public import StickerValues

/// Notices every file below the drop folders, according to the folders themselves.
///
/// Events are hints; the folder is the truth. Everything, whether an event, an overflow of the kernel's queue, the
/// start or the clock, leads to a look at the folder, and looks may repeat: the receiver must accept repeated reports.
///
/// There are two queues besides the receiver's own: one only reads events and records names, the other looks, lists and
/// calls the sink. While the sink is busy, names collect in a bounded set; beyond the bound, whole folders are listed
/// instead.
///
/// Symbolic links below a drop are never followed. Apart from folders, only files whose names do not show their type
/// are opened, to read their first bytes.
public final class TreeWatcher: Sendable {
    /// Receives events in order, on a queue of the watcher; the next batch waits for its return.
    public typealias Sink = @Sendable ([FolderEvent]) -> Void

    private let record = WatchRecord(WatcherState(), label: "stickerd.watch.record")
    private let scanner: TreeScanner
    private let isAvoided: @Sendable (Int64) -> Bool

    /// Creates a watcher that does nothing yet.
    ///
    /// - Parameters:
    ///   - drops: absolute paths of the drop folders, none inside another; they need not exist.
    ///   - configuration: how to watch, and how often to rescan.
    ///   - isAvoided: whether the bytes of a file with this mark must not be read.
    ///   - logger: logs life-cycle changes and faults, never single files.
    ///   - sink: called with at most a few thousand entries at a time.
    public convenience init(
        drops: [String], configuration: WatchConfiguration,
        isAvoided: @escaping @Sendable (Int64) -> Bool = { _ in false },
        logger: Logger = Logger(label: "stickerd.watch"), sink: @escaping Sink
    ) {
        self.init(
            drops: drops, configuration: configuration, isAvoided: isAvoided, logger: logger,
            metronome: DispatchMetronome(), sink: sink)
    }

    init(
        drops: [String], configuration: WatchConfiguration,
        isAvoided: @escaping @Sendable (Int64) -> Bool = { _ in false },
        logger: Logger = Logger(label: "stickerd.watch"),
        metronome: any Metronome, namesMax: Int = Inbox.namesMax, sink: @escaping Sink
    ) {
        self.isAvoided = isAvoided
        scanner = TreeScanner(
            drops: drops, configuration, isAvoided: isAvoided, logger, metronome, record,
            namesMax: namesMax, sink: sink)
    }

    /// Sets watches and then begins to list; returns at once. Must be called once.
    ///
    /// - Throws: `.unavailable` if the configured backend is not available; never with `auto`.
    public func start() throws(WatchError) {
        try start(factory: nil)
    }

    func start(factory: BackendFactory?) throws(WatchError) {
        try scanner.begin(factory: factory)
    }

    /// Stops watching. Waits for a call of the sink that is in progress; none follows.
    ///
    /// Must not be called from the sink.
    public func stop() {
        scanner.stop()
    }

    /// Starts a full scan now.
    func rescan() {
        scanner.rescan()
    }

    /// Lists everything again in a while. The sink must call it if it could not keep a batch. `startScanFinished` is
    /// sent, or sent again, after that.
    public func repeatScan() {
        scanner.repeatScan()
    }

    /// The current figures.
    public var status: WatchStatus {
        record.perform { $0.status }
    }

    /// Calls back on the queue that looks and lists, as a sign that it is running.
    public func ping(_ answer: @escaping @Sendable () -> Void) {
        scanner.ping(answer)
    }

    /// Whether changes of `drop` are found by polling, so that files need longer to settle.
    public func isPolled(_ drop: String) -> Bool {
        record.perform { $0.polledDrops.contains(drop) }
    }

    /// Looks at one path now; may be called from anywhere, the sink included.
    ///
    /// `.gone` is only returned for a drop that is the very folder being watched.
    public func look(at key: SourceKey) -> Look {
        switch open(key.drop, key.directory) {
        case .open(let folder):
            let look = Self.look(at: key.name, in: folder)
            return look == .gone && isHidden(key.drop, key.directory) ? .unknown : look
        case .gone: return .gone
        case .unknown: return .unknown
        }
    }

    /// The names that no longer exist in a folder, are folders now, or are misnamed pictures that are no pictures any
    /// more; may be called from anywhere, the sink included.
    ///
    /// Only for a drop that is the very folder being watched; otherwise the result is empty.
    ///
    /// - Throws: `.denied` or `.system` if that is unknown now; ask again after `repeatScan`.
    public func missing(
        _ names: [[UInt8]], drop: String, directory: [UInt8]
    ) throws(WatchError) -> [[UInt8]] {
        guard let identity = record.perform({ $0.roots[drop] }) else { return [] }
        let root: Descriptor
        do throws(WatchError) {
            root = try Descriptor.root(drop)
        } catch {
            if error.code == .vanished { return [] }
            throw error
        }
        guard try root.identity() == identity else { return [] }
        let missing: [[UInt8]]
        do throws(WatchError) {
            missing = try self.missing(names, in: try root.descend(directory)) { name in
                SourceKey(drop: drop, directory: directory, name: name)
            }
        } catch {
            guard error.code == .vanished else { throw error }
            missing = names
        }
        return isHidden(drop, directory) ? [] : missing
    }

    private func missing(
        _ names: [[UInt8]], in folder: borrowing Descriptor, key: ([UInt8]) -> SourceKey
    ) throws(WatchError) -> [[UInt8]] {
        var missing: [[UInt8]] = []
        for name in names {
            do throws(WatchError) {
                let stamp = try folder.look(name)
                let key = key(name)
                let isNone =
                    stamp.kind == .folder
                    || FileKind.mayBeMisnamed(key)
                        && MisnamedPicture.isNone(key, stamp, in: folder, isAvoided: isAvoided)
                if isNone { missing.append(name) }
            } catch {
                guard error.code == .vanished else { throw error }
                missing.append(name)
            }
        }
        return missing
    }

    /// Whether this path no longer leads to a folder, in a drop that is the very folder being watched.
    public func isGone(drop: String, directory: [UInt8]) -> Bool {
        if case .gone = open(drop, directory) { true } else { false }
    }

    /// Whether a drop that is the very folder being watched contains nothing that stickerd handles.
    public func isEmpty(drop: String) -> Bool {
        // The content of a drop that cannot be listed is unknown.
        guard case .open(let root) = open(drop, []),
            let listing = try? FolderListing(root, path: drop)
        else { return false }
        do {
            while let entry = try listing.next() {
                guard FileKind.isIgnoredName(entry.name) else { return false }
            }
            return true
        } catch {
            return false
        }
    }

    /// The current state of a folder of a drop.
    private enum Place: ~Copyable {
        case open(Descriptor)
        case gone
        /// The drop is lost, a mount hides the folder, or it cannot be opened.
        case unknown
    }

    private func open(_ drop: String, _ directory: [UInt8]) -> Place {
        // A missing drop does not mean that its files are gone.
        guard let identity = record.perform({ $0.roots[drop] }),
            let root = try? Descriptor.root(drop),
            (try? root.identity()) == identity
        else { return .unknown }
        do throws(WatchError) {
            return .open(try root.descend(directory))
        } catch {
            let isGone = error.code == .vanished && !isHidden(drop, directory)
            return isGone ? .gone : .unknown
        }
    }

    private func isHidden(_ drop: String, _ directory: [UInt8]) -> Bool {
        record.perform { $0.hiddenMounts.cover(drop: drop, directory: directory) }
    }

    private static func look(at name: [UInt8], in folder: borrowing Descriptor) -> Look {
        do throws(WatchError) {
            let stamp = try folder.look(name)
            guard stamp.kind != .folder else { return .gone }
            return .present(stamp.version, isRegularFile: stamp.kind == .regular)
        } catch {
            return error.code == .vanished ? .gone : .unknown
        }
    }
}
