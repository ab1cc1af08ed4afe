import NIOCore
import StickerHTTP
import Synchronization

/// Answers of the present generation, by what was asked.
final class AnswerCache: Sendable {
    private static let bytesMax = 64 << 20
    /// What an answer takes besides its body and its question: its head, and its place here.
    private static let bytesBeside = 512
    /// Longer questions are asked once.
    private static let keyBytesMax = 500

    private struct State {
        var generation = 0
        var answers: [String: Answer] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    /// The answer that was made to a request before, if it is of that generation of the library.
    func answer(to request: WebRequest, of generation: Int) -> Answer? {
        let key = Self.key(of: request)
        return state.withLock { $0.generation == generation ? $0.answers[key] : nil }
    }

    /// Keeps an answer that depends on path and query alone; those of earlier generations are forgotten.
    func keep(_ answer: Answer, to request: WebRequest, of generation: Int) {
        let key = Self.key(of: request)
        guard let count = answer.count, key.utf8.count <= Self.keyBytesMax else { return }
        // Thousands of answers are let go after the lock.
        var forgotten: State?
        state.withLock { state in
            // One that was late is of a library that is no more.
            guard state.generation <= generation else { return }
            if state.generation == generation, state.answers[key] != nil { return }
            let bytes = count + key.utf8.count + Self.bytesBeside
            if state.generation < generation || state.bytes + bytes > Self.bytesMax {
                // What is asked often is soon here again.
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
