import Foundation
import StickerTestSupport

/// A sample of many calls.
enum Sample {
    /// Whether all are: STICKERD_SLOW_CHECKS=1.
    static let isComplete = ProcessInfo.processInfo.environment["STICKERD_SLOW_CHECKS"] == "1"

    /// Numbers of calls, counted from 1: all, or `count` of them.
    ///
    /// A sample prefers calls that differ from the one before: most are writes to SQLite's journal,
    /// one after the other, between which nothing can be told apart.
    static func numbers(of calls: [Faults.Call], _ count: Int, seed: UInt64) -> [Int] {
        let all = Array(calls.indices)
        guard !isComplete, calls.count > count else { return all.map { $0 + 1 } }
        var generator = SeededGenerator(seed: seed)
        let turns = all.filter { $0 == 0 || calls[$0].kind != calls[$0 - 1].kind }
        let others = Set(all).subtracting(turns).sorted().shuffled(using: &generator)
        let chosen = spread(turns, count * 4 / 5, using: &generator)
        return (chosen + others.prefix(count - chosen.count)).map { $0 + 1 }.sorted()
    }

    /// One of each of `count` equal parts.
    private static func spread(
        _ values: [Int], _ count: Int, using generator: inout SeededGenerator
    ) -> [Int] {
        guard values.count > count else { return values }
        return (0..<count).compactMap { part in
            let range = (values.count * part / count)..<(values.count * (part + 1) / count)
            return range.randomElement(using: &generator).map { values[$0] }
        }
    }
}

extension Faults.Call {
    /// The fault for each kind of file.
    fileprivate var kind: String { "\(name) \((path as NSString).pathExtension)" }
}

/// Does something for each element, a few at a time.
func inParallel<Element: Sendable>(
    _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, element) in elements.enumerated() {
            if number >= 4 { try await group.next() }
            group.addTask { try await body(element) }
        }
        try await group.waitForAll()
    }
}
