import CMisdeeds
import Foundation
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerWorkers

/// SECURITY.md says what a picture can do that has taken a worker over: it can do that, and nothing else.
@Suite(.needsFonts)
struct ConfinementTests {
    /// How a worker program is locked, in the order of the columns of the table.
    enum Lock: CaseIterable {
        case plain
        case copied
        case threads
        case threadsAndFonts

        var column: Int {
            switch self {
            case .plain, .copied: 0
            case .threads: 1
            case .threadsAndFonts: 2
            }
        }
    }

    @Test(arguments: Lock.allCases)
    func takenWorkerCanDoWhatIsDocumented(lock: Lock) throws {
        let table = try documented()
        let folder = try TemporaryFolder()
        let secret = folder.path("secret")
        try Data("private".utf8).write(to: URL(filePath: secret))

        for (number, name) in attempts {
            let outcome = try outcome(of: number, on: secret, lock, in: folder)
            if name.hasSuffix(" of old") {
                #expect(["ends it", "refused"].contains(outcome), "\(name)")
            } else {
                #expect(table[name]?[lock.column] == outcome, "\(name)")
            }
        }

        #expect(Set(table.keys) == Set(attempts.map(\.name).filter { !$0.hasSuffix(" of old") }))
        #expect(try Data(contentsOf: URL(filePath: secret)) == Data("private".utf8))
    }

    /// The attempts by their numbers, under the names of the table. x86-64 has calls of old that newer ones replaced.
    private let attempts: [(number: Int32, name: String)] = (0...).lazy
        .map { ($0, cmisdeed_name($0).map { String(cString: $0) }) }
        .prefix { $0.1 != nil }
        .map { ($0, $1 ?? "") }

    private func outcome(
        of attempt: Int32, on file: String, _ lock: Lock, in folder: TemporaryFolder
    ) throws -> String {
        var allowance = WorkerAllowance(
            DecodeLimits(), targets: [], isFull: false, isUnsandboxedAllowed: false)
        var program = Built.path("hostile-worker")
        var server: ForkServer?
        switch lock {
        case .plain: break
        case .copied:
            server = Self.hostile.servers?.server(of: program)
            #expect(server?.process != nil)
        case .threads:
            let other = folder.path("with-threads")
            try? FileManager.default.createSymbolicLink(
                atPath: other, withDestinationPath: program)
            program = other
        case .threadsAndFonts: allowance.fontFolder = TestFonts.path
        }
        let process = try WorkerProcess(
            program: program, source: SourceBytes(Array("attempt \(attempt) \(file)".utf8)),
            order: [], allowance: allowance, server: server)
        let end = process.wait(WorkerTime(DecodeLimits())) { _ in false }
        if end.signal == SIGSYS { return "ends it" }
        return switch end.inbox.lastStep {
        case "done": "can"
        case let step? where step.hasPrefix("refused: "): "refused"
        default: "\(end.lastWords) \(end.status)"
        }
    }

    private static let hostile = WorkerMaking.copying(Built.path("hostile-worker"))

    /// The outcome of each attempt, by column.
    private func documented() throws -> [String: [String]] {
        let text = String(decoding: try Repository.data("SECURITY.md"), as: UTF8.self)
        let section = try #require(
            text.components(separatedBy: "| It tries to |").dropFirst().first)
        let rows = section.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
            .prefix { $0.hasPrefix("|") }
        var table: [String: [String]] = [:]
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            for name in cells[0].components(separatedBy: ", ") {
                table[name] = Array(cells.dropFirst())
            }
        }
        return table
    }
}
