import Dispatch
import StickerSystem

@testable import StickerWatch

/// Beats when a test says so.
final class ManualMetronome: Metronome {
    private struct Listener: Sendable {
        var beat: Beat
        var queue: DispatchQueue
        var body: @Sendable () -> Void
    }

    private let state = QueueConfined<(last: Int, listeners: [Int: Listener])>(
        (0, [:]), label: "test.metronome")

    func start(
        _ beat: Beat, every seconds: Double, on queue: DispatchQueue,
        _ body: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let number = state.perform { state in
            state.last += 1
            state.listeners[state.last] = Listener(beat: beat, queue: queue, body: body)
            return state.last
        }
        return { self.state.perform { $0.listeners[number] = nil } }
    }

    func beat(_ beat: Beat) {
        let listeners = state.perform { $0.listeners.values.filter { $0.beat == beat } }
        for listener in listeners { listener.queue.async(execute: listener.body) }
    }
}
