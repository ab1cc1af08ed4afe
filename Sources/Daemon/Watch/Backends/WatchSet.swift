import Dispatch
import Logging
import StickerConfiguration
import StickerValues

/// Creates the backends that report events; tests supply their own.
typealias BackendFactory =
    @Sendable (DispatchQueue, @escaping WatchBackend.Sink) throws(WatchError) ->
    any WatchBackend

/// The backends of one watcher; chooses between them folder by folder.
final class WatchSet {
    private let configuration: WatchConfiguration
    private let logger: Logger
    private let events: (any WatchBackend)?
    private let polling: PollingBackend
    private var hasWarned = false

    /// The name of the backend that is used wherever possible.
    var name: String { events?.name ?? polling.name }

    /// Creates the backends; `factory` creates the one for events, `nil` means the configured one.
    ///
    /// - Throws: `.unavailable` if the configured backend is not available.
    init(
        _ configuration: WatchConfiguration, _ logger: Logger, _ metronome: any Metronome,
        factory: BackendFactory?, sink: @escaping WatchBackend.Sink
    ) throws(WatchError) {
        self.configuration = configuration
        self.logger = logger
        let queue = DispatchQueue(label: "stickerd.watch")
        events =
            if let factory {
                try factory(queue, sink)
            } else {
                try Self.configured(configuration.backend, queue, logger, sink)
            }
        polling = PollingBackend(
            queue: DispatchQueue(label: "stickerd.watch.poll"), every: configuration.pollSeconds,
            metronome: metronome, sink: sink)
    }

    private static func configured(
        _ backend: WatchConfiguration.Backend, _ queue: DispatchQueue, _ logger: Logger,
        _ sink: @escaping WatchBackend.Sink
    ) throws(WatchError) -> (any WatchBackend)? {
        switch backend {
        case .polling: return nil
        case .inotify: return try InotifyBackend(queue: queue, sink: sink)
        case .inotifytools: return try inotifyTools(queue, sink)
        case .auto: return bestAvailable(queue, logger, sink)
        }
    }

    private static func bestAvailable(
        _ queue: DispatchQueue, _ logger: Logger, _ sink: @escaping WatchBackend.Sink
    ) -> (any WatchBackend)? {
        do throws(WatchError) {
            return try inotifyTools(queue, sink)
        } catch {
            logger.debug(
                "asking the kernel directly",
                metadata: [LogKey.reason: "\(error.description)"])
        }
        do throws(WatchError) {
            return try InotifyBackend(queue: queue, sink: sink)
        } catch {
            logger.warning(
                "no events available, polling the folders instead",
                metadata: [LogKey.reason: "\(error.description)"])
            return nil
        }
    }

    private static func inotifyTools(
        _ queue: DispatchQueue, _ sink: @escaping WatchBackend.Sink
    ) throws(WatchError) -> any WatchBackend {
        #if InotifyTools
            return try InotifyToolsBackend(queue: queue, sink: sink)
        #else
            throw WatchError(.unavailable, detail: "built without libinotifytools")
        #endif
    }

    // MARK: Folders

    /// Makes sure that an open folder is watched, by events if possible.
    ///
    /// - Returns: how it is watched now.
    /// - Throws: `.vanished`, `.denied` or `.system`; never `.watchLimit`.
    func watch(_ folder: Folder, _ descriptor: CInt) throws(WatchError) -> Folder.WatchState {
        switch folder.watching {
        case .events, .polling: return folder.watching
        case .nothing, .pollingInstead: break
        }
        guard let events, !mustPoll(descriptor) else {
            try Self.add(folder.place, descriptor, to: polling)
            return .polling
        }
        do throws(WatchError) {
            try Self.add(folder.place, descriptor, to: events)
        } catch {
            guard error.code != .denied else { throw error }
            return try pollInstead(folder, descriptor, error)
        }
        Self.remove([folder.place.id], from: polling)
        return .events
    }

    private func mustPoll(_ descriptor: CInt) -> Bool {
        configuration.backend == .auto && FileSystemKind.of(descriptor) == .remote
    }

    private func pollInstead(
        _ folder: Folder, _ descriptor: CInt, _ fault: WatchError
    ) throws(WatchError) -> Folder.WatchState {
        guard folder.watching == .nothing else { return folder.watching }
        if !exchange(&hasWarned, with: true) {
            logger.warning(
                "no more watches, polling the remaining folders instead",
                metadata: [LogKey.reason: "\(fault.description)"])
        }
        try Self.add(folder.place, descriptor, to: polling)
        return .pollingInstead
    }

    /// Ends the watches of folders.
    func forget(_ folders: [Folder]) {
        if let events {
            Self.remove(folders.filter { $0.watching == .events }.map(\.place.id), from: events)
        }
        let polled = folders.filter { $0.watching == .polling || $0.watching == .pollingInstead }
        Self.remove(polled.map(\.place.id), from: polling)
    }

    /// Stops all backends; no event follows.
    func stop() {
        events?.stop()
        polling.stop()
    }

    private static func add(
        _ place: FolderPlace, _ descriptor: CInt, to backend: any WatchBackend
    ) throws(WatchError) {
        let result = backend.queue.sync {
            Result { () throws(WatchError) in try backend.add(place, descriptor: descriptor) }
        }
        try result.get()
    }

    private static func remove(_ folders: [FolderID], from backend: any WatchBackend) {
        guard !folders.isEmpty else { return }
        backend.queue.sync { folders.forEach(backend.remove) }
    }
}
