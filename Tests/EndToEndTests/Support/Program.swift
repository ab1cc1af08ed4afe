import Foundation
import Glibc
import StickerTestSupport

/// One of the built programs, run as an operator runs it.
final class Program: Sendable {
    /// How a program ended and what it said.
    struct Ending: Hashable, Sendable {
        /// `nil` where a signal ended it.
        var exitCode: Int32?
        /// The signal that ended it.
        var signal: Int32?
        var output: String
        var errors: String
    }

    /// It did not end, or not begin, in time.
    struct Late: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let papers: TemporaryFolder
    private let hasEnded = WaitableValue(false)
    private let command: String

    /// Starts the program `name`, a path or a name in the folder of the test bundle or in that which STICKERD_PROGRAMS
    /// names, in a working folder or that of the tests.
    init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:],
        folder place: String? = nil
    ) throws {
        papers = try TemporaryFolder()
        command = ([name] + arguments).joined(separator: " ")
        let other = ProcessInfo.processInfo.environment["STICKERD_PROGRAMS"]
        let folder = try other.map { URL(filePath: $0) } ?? Self.folder()
        process.executableURL =
            name.hasPrefix("/") ? URL(filePath: name) : folder.appending(path: name)
        process.arguments = arguments
        if let place { process.currentDirectoryURL = URL(filePath: place) }
        process.environment = Self.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let output = try Self.paper(papers.write([], to: "output"))
        let errors = try Self.paper(papers.write([], to: "errors"))
        process.standardOutput = output
        process.standardError = errors
        process.terminationHandler = { [hasEnded] _ in hasEnded.update { $0 = true } }
        try process.run()
        // The program has its own by now; hundreds of programs are started in one run of the tests.
        try output.close()
        try errors.close()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Its standard error so far.
    var errors: String { said("errors") }

    var number: Int32 { process.processIdentifier }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits until it ends; one that does not is killed.
    func ending(upTo limit: Duration = .seconds(300)) async throws -> Ending {
        guard await hasEnded.wait(upTo: limit, until: { $0 }) != nil else {
            send(SIGKILL)
            throw Late(
                description: "\(command) did not end within \(limit):\n\(errors.suffix(4000))")
        }
        let status = process.terminationStatus
        let wasKilled = process.terminationReason == .uncaughtSignal
        return Ending(
            exitCode: wasKilled ? nil : status, signal: wasKilled ? status : nil,
            output: said("output"), errors: errors)
    }

    /// Waits until it has written `text` to standard error.
    func says(_ text: String, upTo limit: Duration = .seconds(120)) async throws {
        guard await waitUntil(upTo: limit, { errors.contains(text) }) else {
            throw Late(description: "\(command) did not say '\(text)':\n\(errors.suffix(4000))")
        }
    }

    private func said(_ paper: String) -> String {
        // It was made before the program began; without it the texts are missed by the test.
        let bytes = (try? Data(contentsOf: URL(filePath: papers.path(paper)))) ?? Data()
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func paper(_ path: String) throws -> FileHandle {
        try FileHandle(forWritingTo: URL(filePath: path))
    }

    /// The folder that holds the test bundle, and beside it everything else that was built.
    static func folder() throws -> URL {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: bundle).deletingLastPathComponent()
    }

    private static var environment: [String: String] {
        var environment = ProgramEnvironment.inherited
        environment["STICKERD_CONFIG"] = nil
        // The backtracer of a crashed program would keep its output open.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        return environment
    }
}
