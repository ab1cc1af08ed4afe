import NIOCore
import Synchronization

/// Answers of the present generation, by what was asked.
final class AnswerCache: Sendable {
    private static let bytesMax = 64 << 20
    /// Longer questions are asked once.
    private static let keyBytesMax = 500

    private struct State {
        var generation = 0
        var answers: [String: Answer] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    /// Answers a request by what was made before, or by what `make` makes.
    ///
    /// - Parameters:
    ///   - request: what is asked.
    ///   - generation: that of the library; answers of another one are forgotten.
    ///   - make: makes an answer that depends on path and query alone.
    /// - Returns: the answer.
    /// - Throws: what `make` throws.
    func answer(
        _ request: WebRequest, _ generation: Int, _ make: () throws -> Answer
    ) throws -> Answer {
        let key = Self.key(of: request)
        if let known = state.withLock({ $0.generation == generation ? $0.answers[key] : nil }) {
            return known
        }
        let answer = try make()
        guard let count = answer.count, key.utf8.count <= Self.keyBytesMax else { return answer }
        // Thousands of answers are let go after the lock.
        var forgotten: State?
        state.withLock { state in
            // One that was late is of a library that is no more.
            guard state.generation <= generation else { return }
            let bytes = count + key.utf8.count
            if state.generation < generation || state.bytes + bytes > Self.bytesMax {
                // What is asked often is soon here again.
                forgotten = state
                state = State(generation: generation)
            }
            if state.answers.updateValue(answer, forKey: key) == nil { state.bytes += bytes }
        }
        withExtendedLifetime(forgotten) {}
        return answer
    }

    private static func key(of request: WebRequest) -> String {
        let query = request.query.filter { $0.key != "api_key" }
            .sorted { $0.key < $1.key }.map { "\($0.key)\n\($0.value)" }
        return ([request.path ?? ""] + query).joined(separator: "\n")
    }
}
