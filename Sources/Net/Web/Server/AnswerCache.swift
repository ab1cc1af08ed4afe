import NIOCore
import StickerHTTP
import Synchronization

/// Answers of the current generation, by request.
final class AnswerCache: Sendable {
    private static let bytesMax = 64 << 20
    /// The memory of an answer besides its body and its request.
    private static let bytesBeside = 512
    /// Answers to longer requests are not kept.
    private static let keyBytesMax = 500

    private struct State {
        var generation = 0
        var answers: [String: Answer] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    /// The earlier answer to a request, if it is of this generation of the library.
    func answer(to request: WebRequest, of generation: Int) -> Answer? {
        let key = Self.key(of: request)
        return state.withLock { $0.generation == generation ? $0.answers[key] : nil }
    }

    /// Keeps an answer that depends only on path and query; those of earlier generations are forgotten.
    func keep(_ answer: Answer, to request: WebRequest, of generation: Int) {
        let key = Self.key(of: request)
        guard let count = answer.count, key.utf8.count <= Self.keyBytesMax else { return }
        // Thousands of answers are released after the lock.
        var forgotten: State?
        state.withLock { state in
            // A late answer belongs to an earlier state of the library.
            guard state.generation <= generation else { return }
            if state.generation == generation, state.answers[key] != nil { return }
            let bytes = count + key.utf8.count + Self.bytesBeside
            if state.generation < generation || state.bytes + bytes > Self.bytesMax {
                // Frequent requests soon fill it again.
                forgotten = state
                state = State(generation: generation)
            }
            state.answers[key] = answer
            state.bytes += bytes
        }
        withExtendedLifetime(forgotten) {}
    }

    private static func key(of request: WebRequest) -> String {
        let query = request.query.filter { $0.key != "api_key" }
            .sorted { $0.key < $1.key }.map { "\($0.key)\n\($0.value)" }
        return ([request.path ?? ""] + query).joined(separator: "\n")
    }
}
