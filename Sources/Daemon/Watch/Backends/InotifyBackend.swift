import Dispatch
import Glibc
import StickerSystem

/// Uses inotify(7) directly, through a Dispatch read source.
final class InotifyBackend: WatchBackend, @unchecked Sendable {
    // Unchecked because `watches`, `moves` and `buffer` are used only on `queue`.
    let name = "inotify"
    let queue: DispatchQueue
    private let sink: Sink
    private let descriptor: CInt
    private let source: any DispatchSourceRead
    private let closed = DispatchSemaphore(value: 0)
    private var watches = WatchDescriptors()
    private var moves = PendingMoves()
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 64 * 1024, alignment: MemoryLayout<inotify_event>.alignment)

    /// Opens an inotify instance; events go to `sink` on `queue`.
    init(queue: DispatchQueue, sink: @escaping Sink) throws(WatchError) {
        descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        guard descriptor >= 0 else {
            buffer.deallocate()
            throw WatchError(
                .unavailable, systemError: errno,
                detail: "cannot start inotify, raise fs.inotify.max_user_instances")
        }
        self.queue = queue
        self.sink = sink
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { @Sendable [weak self] in self?.drain() }
        source.setCancelHandler { @Sendable [descriptor, closed] in
            close(descriptor)
            closed.signal()
        }
        source.activate()
    }

    deinit {
        buffer.deallocate()
    }

    func add(_ place: FolderPlace, descriptor folder: CInt) throws(WatchError) {
        dispatchPrecondition(condition: .onQueue(queue))
        let watch = inotify_add_watch(descriptor, InotifyEvents.path(folder), InotifyEvents.mask)
        guard watch >= 0 else { throw InotifyEvents.fault(place, errno) }
        watches.insert(place.id, watch)
    }

    func remove(_ folder: FolderID) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let watch = watches.remove(folder) else { return }
        inotify_rm_watch(descriptor, watch)  // fails if the kernel was faster: the same end
    }

    func stop() {
        dispatchPrecondition(condition: .notOnQueue(queue))
        source.cancel()
        closed.wait()
    }

    private func drain() {
        while true {
            let count = SystemCall.retrying { read(descriptor, buffer.baseAddress, buffer.count) }
            guard count > 0 else { return }  // EAGAIN: everything has been read
            let events = parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            if !events.isEmpty { sink(events) }
        }
    }

    /// Splits the records: a header of 16 bytes, then `len` bytes of name.
    private func parse(_ bytes: UnsafeRawBufferPointer) -> [WatchEvent] {
        var events: [WatchEvent] = []
        var offset = 0
        let headerSize = MemoryLayout<inotify_event>.size
        while offset + headerSize <= bytes.count {
            let header = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let start = offset + headerSize
            let end = min(start + Int(header.len), bytes.count)
            events += InotifyEvents.translate(
                mask: header.mask, cookie: header.cookie,
                name: UnsafeRawBufferPointer(rebasing: bytes[start..<end]),
                folders: watches.folders(of: header.wd), moves: &moves)
            if InotifyEvents.endsWatch(header.mask) { watches.drop(header.wd) }
            offset = end
        }
        return events
    }
}
