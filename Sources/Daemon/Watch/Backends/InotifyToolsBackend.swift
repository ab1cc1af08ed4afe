#if InotifyTools
    import CInotifyTools
    import Dispatch
    import Glibc
    import StickerSystem

    /// Watches through libinotifytools, folder by folder from our own map.
    ///
    /// The library keeps one hidden descriptor, static buffers and tables for the whole process, so there
    /// is at most one backend of this kind at a time. Its tables never forget a folder that vanished by
    /// itself; after `vanishedMax` of them the library is restarted.
    final class InotifyToolsBackend: WatchBackend, @unchecked Sendable {
        // Unchecked because everything that changes is used only on `queue`.
        let name = "inotifytools"
        let queue: DispatchQueue
        private let sink: Sink
        private let vanishedMax: Int
        private let ended = DispatchSemaphore(value: 0)
        private var descriptor: CInt
        private var source: any DispatchSourceRead
        private var watches = WatchDescriptors()
        private var moves = PendingMoves()
        private var places: [FolderID: FolderPlace] = [:]
        private var vanished = 0
        private var isStopping = false
        private static let handOverCount = 1000

        /// Whether a backend of this process is using the library.
        private static let isTaken = QueueConfined(false, label: "stickerd.watch.library")

        /// Starts the library; events go to `sink` on `queue`.
        init(queue: DispatchQueue, vanishedMax: Int = 1000, sink: @escaping Sink) throws(WatchError)
        {
            guard Self.isTaken.perform({ taken in exchange(&taken, with: true) == false }) else {
                throw WatchError(.unavailable, detail: "libinotifytools serves one watcher only")
            }
            do throws(WatchError) {
                descriptor = try Self.startLibrary()
            } catch {
                Self.isTaken.perform { $0 = false }
                throw error
            }
            self.queue = queue
            self.sink = sink
            self.vanishedMax = vanishedMax
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            activate()
        }

        func add(_ place: FolderPlace, descriptor folder: CInt) throws(WatchError) {
            dispatchPrecondition(condition: .onQueue(queue))
            let path = InotifyEvents.path(folder)
            guard inotifytools_watch_file(path, CInt(bitPattern: InotifyEvents.mask)) == 1 else {
                throw InotifyEvents.fault(place, inotifytools_error())
            }
            // The library finds a watch by path, and confuses folders that had the same path in turn. The
            // kernel identifies the watch of an open folder reliably.
            let watch = inotify_add_watch(descriptor, path, InotifyEvents.mask)
            guard watch >= 0 else { throw InotifyEvents.fault(place, errno) }
            watches.insert(place.id, watch)
            places[place.id] = place
        }

        func remove(_ folder: FolderID) {
            dispatchPrecondition(condition: .onQueue(queue))
            places[folder] = nil
            guard let watch = watches.remove(folder) else { return }
            // Not through the library: it prints to stderr if the kernel was faster.
            inotify_rm_watch(descriptor, watch)
        }

        func stop() {
            dispatchPrecondition(condition: .notOnQueue(queue))
            queue.sync {
                isStopping = true
                source.cancel()
            }
            ended.wait()
        }

        // MARK: Reading

        private func activate() {
            source.setEventHandler { @Sendable [weak self] in self?.drain() }
            source.setCancelHandler { @Sendable [self] in sourceEnded() }
            source.activate()
        }

        private func drain() {
            var events: [WatchEvent] = []
            // A timeout of 0 in `inotifytools_next_event` would wait forever.
            while let event = inotifytools_next_events(0, 1) {
                events += copy(event)
                if events.count >= Self.handOverCount { sink(exchange(&events, with: [])) }
            }
            if !events.isEmpty { sink(events) }
            if vanished >= vanishedMax && !isStopping { source.cancel() }
        }

        /// Copies the event out of the library's buffer, which the next call overwrites.
        private func copy(_ event: UnsafeMutablePointer<inotify_event>) -> [WatchEvent] {
            let header = event.pointee
            let name = UnsafeRawBufferPointer(
                start: UnsafeRawPointer(event).advanced(by: MemoryLayout<inotify_event>.size),
                count: Int(header.len))
            let folders = watches.folders(of: header.wd)
            if InotifyEvents.endsWatch(header.mask) {
                vanished += 1
                for folder in folders { places[folder] = nil }
                watches.drop(header.wd)
            }
            return InotifyEvents.translate(
                mask: header.mask, cookie: header.cookie, name: name, folders: folders,
                moves: &moves)
        }

        // MARK: The life of the library

        /// Shuts the library down once Dispatch has released its descriptor, and starts it again unless
        /// the backend is stopping.
        private func sourceEnded() {
            inotifytools_cleanup()
            if isStopping {
                Self.isTaken.perform { $0 = false }
                ended.signal()
            } else {
                restart()
            }
        }

        private func restart() {
            vanished = 0
            watches = WatchDescriptors()
            do throws(WatchError) {
                descriptor = try Self.startLibrary()
            } catch {
                return retryLater()
            }
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            activate()
            let lost = places.values.filter { !isWatchedAgain($0) }
            for place in lost { places[place.id] = nil }
            sink(lost.map { .folderGone($0.id) } + [.restarted])
        }

        private func isWatchedAgain(_ place: FolderPlace) -> Bool {
            do throws(WatchError) {
                let folder = try place.open()
                try add(place, descriptor: folder.raw)
                return true
            } catch {
                return false
            }
        }

        /// Without a spare descriptor, the only choice is to wait for one.
        private func retryLater() {
            queue.asyncAfter(deadline: .now() + 1) { @Sendable [self] in
                isStopping ? sourceEnded() : restart()
            }
        }

        private static func startLibrary() throws(WatchError) -> CInt {
            guard inotifytools_initialize() == 1 else {
                throw WatchError(
                    .unavailable, systemError: inotifytools_error(),
                    detail: "cannot start inotify, raise fs.inotify.max_user_instances")
            }
            guard let descriptor = hiddenDescriptor(), descriptor < 1024 else {
                // The library waits with select(2), which cannot look at higher numbers.
                inotifytools_cleanup()
                throw WatchError(
                    .unavailable, detail: "libinotifytools got no descriptor below 1024")
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            return descriptor
        }

        /// The library's own descriptor: the only inotify instance in this process that is not
        /// close-on-exec yet.
        private static func hiddenDescriptor() -> CInt? {
            // Without procfs the library cannot be used, which the caller reports.
            let entries = (try? FolderListing("/proc/self/fd").rest()) ?? []
            let numbers = entries.compactMap { CInt(String(decoding: $0.name, as: UTF8.self)) }
            return numbers.first {
                isInotify($0) && fcntl($0, F_GETFD) & FD_CLOEXEC == 0
            }
        }

        private static func isInotify(_ number: CInt) -> Bool {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { target in
                guard let start = target.baseAddress else { return false }
                let count = readlink("/proc/self/fd/\(number)", start, target.count)
                let text = target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
                return text.elementsEqual("anon_inode:inotify".utf8)
            }
        }
    }
#endif
