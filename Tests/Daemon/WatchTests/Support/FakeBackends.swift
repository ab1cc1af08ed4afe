import Dispatch
import Glibc
import StickerSystem

@testable import StickerWatch

/// inotify that sometimes hears nothing.
final class DeafBackend: WatchBackend {
    let name = "deaf"
    let queue: DispatchQueue
    let isDeaf: QueueConfined<Bool>
    private let real: InotifyBackend
    private let sink: Sink

    init(queue: DispatchQueue, sink: @escaping Sink) throws(WatchError) {
        let isDeaf = QueueConfined(false, label: "test.deaf")
        (self.queue, self.sink, self.isDeaf) = (queue, sink, isDeaf)
        real = try InotifyBackend(queue: queue) { events in
            if !isDeaf.perform({ $0 }) { sink(events) }
        }
    }

    func add(_ place: FolderPlace, descriptor: CInt) throws(WatchError) {
        try real.add(place, descriptor: descriptor)
    }

    func remove(_ folder: FolderID) { real.remove(folder) }
    func stop() { real.stop() }

    /// Says that events were lost, once the ones before are read.
    func overflow() {
        queue.async { [sink] in sink([.overflow]) }
    }
}

/// inotify of a kernel that gives out few watches.
final class ScarceBackend: WatchBackend, @unchecked Sendable {
    // Unchecked because everything that changes is used on `queue` alone.
    let name = "scarce"
    let queue: DispatchQueue
    var watchesMax: Int
    private let fault: WatchError.Code
    private let real: InotifyBackend
    private var watched: Set<FolderID> = []

    init(
        queue: DispatchQueue, watchesMax: Int, fault: WatchError.Code = .watchLimit,
        sink: @escaping Sink
    ) throws(WatchError) {
        (self.queue, self.watchesMax, self.fault) = (queue, watchesMax, fault)
        real = try InotifyBackend(queue: queue, sink: sink)
    }

    func add(_ place: FolderPlace, descriptor: CInt) throws(WatchError) {
        guard watched.count < watchesMax else {
            throw WatchError(fault, systemError: ENOSPC, detail: "cannot watch \(place.display)")
        }
        try real.add(place, descriptor: descriptor)
        watched.insert(place.id)
    }

    func remove(_ folder: FolderID) {
        watched.remove(folder)
        real.remove(folder)
    }

    func stop() { real.stop() }
}

/// Lets callers through while it is open.
final class Gate: Sendable {
    private let isOpen = QueueConfined(true, label: "test.gate")
    private let opening = DispatchSemaphore(value: 0)

    /// Waits while it is closed, at most 30 s.
    @Sendable func pass() {
        guard !isOpen.perform({ $0 }) else { return }
        _ = opening.wait(timeout: .now() + 30)
        opening.signal()
    }

    func close() { isOpen.perform { $0 = false } }

    func open() {
        isOpen.perform { $0 = true }
        opening.signal()
    }
}

/// The length of the kernel's event queue, which an instance of inotify takes on when it is made.
enum QueueLimit {
    private static let path = "/proc/sys/fs/inotify/max_queued_events"

    static let isWritable = access(path, W_OK) == 0 && read() != nil

    /// Makes something while the limit is low; it is as before in the next moment.
    static func lowered<Made>(
        to limit: Int, _ make: () throws(WatchError) -> Made
    ) throws(WatchError) -> Made {
        let before = read() ?? 16384
        write(limit)
        defer { write(before) }
        return try make()
    }

    private static func read() -> Int? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 32)
        guard fgets(&line, 32, file) != nil else { return nil }
        return Int(atoi(line))
    }

    private static func write(_ limit: Int) {
        guard let file = fopen(path, "we") else { return }
        fputs("\(limit)\n", file)
        fclose(file)
    }
}
