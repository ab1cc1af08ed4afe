import Glibc
public import Logging
public import StickerModel
import StickerSystem

/// Notices every file below the drop folders, as the folders themselves say.
///
/// Events are hints; the folder is the truth. Everything, an event, an overflow of the kernel's
/// queue, the start and the clock, leads to a look at the folder, and looks may repeat: whoever
/// listens must be able to hear the same thing twice.
///
/// Two queues besides the listener's own: one only reads events and notes names, the other looks,
/// lists and calls the sink. While the sink is busy, names gather in a bounded set; beyond the bound
/// whole folders are listed instead.
///
/// Symbolic links below a drop are never followed, and nothing but folders is ever opened.
public final class TreeWatcher: Sendable {
    /// Receives statements in order, on a queue of the watcher; the next batch waits for its return.
    public typealias Sink = @Sendable ([FolderEvent]) -> Void

    private let record = WatchRecord()
    private let scanner: TreeScanner

    /// A watcher that does nothing yet.
    ///
    /// - Parameters:
    ///   - drops: absolute paths of the drop folders, none inside another; they need not exist.
    ///   - configuration: who watches, and how often everything is looked at anew.
    ///   - logger: hears of life-cycle changes and faults, never of single files.
    ///   - sink: called with at most a few thousand entries at a time.
    public convenience init(
        drops: [String], configuration: WatchConfiguration,
        logger: Logger = Logger(label: "stickerd.watch"), sink: @escaping Sink
    ) {
        self.init(
            drops: drops, configuration: configuration, logger: logger,
            metronome: DispatchMetronome(), sink: sink)
    }

    init(
        drops: [String], configuration: WatchConfiguration,
        logger: Logger = Logger(label: "stickerd.watch"),
        metronome: any Metronome, namesMax: Int = Inbox.namesMax, sink: @escaping Sink
    ) {
        scanner = TreeScanner(
            drops: drops, configuration, logger, metronome, record, namesMax: namesMax, sink: sink)
    }

    /// Sets watches and begins to list, in this order; returns at once. To be called once.
    ///
    /// - Throws: `.unavailable` where the configured backend cannot be had; never with `auto`.
    public func start() throws(WatchError) {
        try start(factory: nil)
    }

    func start(factory: BackendFactory?) throws(WatchError) {
        try scanner.begin(factory: factory)
    }

    /// Ends the watch. Waits for a call of the sink that is under way; none follows.
    ///
    /// Not to be called from the sink.
    public func stop() {
        scanner.stop()
    }

    /// Lists everything anew, as if the time had come.
    func rescan() {
        scanner.rescan()
    }

    /// Lists everything anew in a while; to be called from the sink where it could not keep what it was
    /// given. `startScanFinished` comes, or comes again, at the end of that and not before.
    public func repeatScan() {
        scanner.repeatScan()
    }

    /// The figures of now.
    public var status: WatchStatus {
        record.read(\.status)
    }

    /// Calls back on the queue that looks and lists, once it gets there: a sign that it goes on.
    public func ping(_ answer: @escaping @Sendable () -> Void) {
        scanner.ping(answer)
    }

    /// Whether changes of `drop` are found by looking, so that files need longer to settle.
    public func isPolled(_ drop: String) -> Bool {
        record.read { $0.polledDrops.contains(drop) }
    }

    /// Looks at one path now; may be called from anywhere, the sink included.
    ///
    /// `.gone` is only said of a drop that is the very folder that is watched.
    public func look(at key: SourceKey) -> Look {
        switch open(key.drop, key.directory) {
        case .open(let folder):
            let look = Self.look(at: key.name, in: folder)
            return look == .gone && isHidden(key.drop, key.directory) ? .unknown : look
        case .gone: return .gone
        case .unknown: return .unknown
        }
    }

    /// The names of a folder that are not there any more, or are folders now; may be called from
    /// anywhere, the sink included.
    ///
    /// Only said of a drop that is the very folder that is watched; otherwise none are.
    ///
    /// - Throws: `.denied` or `.system` where that cannot be told now; ask again after `repeatScan`.
    public func missing(
        _ names: [[UInt8]], drop: String, directory: [UInt8]
    ) throws(WatchError) -> [[UInt8]] {
        guard let identity = record.read({ $0.roots[drop] }) else { return [] }
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
            missing = try Self.missing(names, in: try root.descend(directory))
        } catch {
            guard error.code == .vanished else { throw error }
            missing = names
        }
        return isHidden(drop, directory) ? [] : missing
    }

    private static func missing(
        _ names: [[UInt8]], in folder: borrowing Descriptor
    ) throws(WatchError) -> [[UInt8]] {
        var missing: [[UInt8]] = []
        for name in names {
            do throws(WatchError) {
                if try folder.look(name).kind == .folder { missing.append(name) }
            } catch {
                guard error.code == .vanished else { throw error }
                missing.append(name)
            }
        }
        return missing
    }

    /// Whether there is no folder under this path any more, in a drop that is the very folder that is
    /// watched.
    public func isGone(drop: String, directory: [UInt8]) -> Bool {
        if case .gone = open(drop, directory) { true } else { false }
    }

    /// A folder of a drop as it is now.
    private enum Place: ~Copyable {
        case open(Descriptor)
        case gone
        /// The drop is lost, a mount hides the folder, or it cannot be opened.
        case unknown
    }

    private func open(_ drop: String, _ directory: [UInt8]) -> Place {
        // A drop that is missing as a whole says nothing about what lay in it.
        guard let identity = record.read({ $0.roots[drop] }),
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
        record.read { $0.hiddenMounts.cover(drop: drop, directory: directory) }
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
