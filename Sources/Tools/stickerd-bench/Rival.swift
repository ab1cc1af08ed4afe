import FoundationEssentials
import Glibc

/// Another program that makes stickers, as a script would run it.
struct Rival: Sendable {
    /// How it is run.
    enum Mode {
        /// The command is started for each picture, with the paths of the picture and of the WebP appended.
        case started
        /// The command is started once and reads lines with the two paths and a tab between them. It answers each with
        /// the CPU seconds for the picture.
        case warm
    }

    let name: String
    let command: String
    let mode: Mode

    /// `nil` if `argument` is not `NAME=COMMAND`.
    init?(argument: String, mode: Mode) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        (name, command) = (parts[0], parts[1])
        self.mode = mode
    }

    /// The cost and result of making one picture.
    struct Run {
        /// CPU time, including the start of the program unless it is warm; `nil` if it was stopped, died or made
        /// nothing, since giving up fast is no merit.
        var milliseconds: Double?
        /// The WebP; `nil` if there is none.
        var file: [UInt8]?
    }
}

/// A running rival. The process of a warm one lives as long as this object.
final class Contender {
    /// How often in all a warm process that ended or hung is started again.
    private static let startsMax = 5

    private let rival: Rival
    private let millisecondsMax: Int
    private let output =
        FileManager.default.temporaryDirectory.path + "/stickerd-bench-\(UUID().uuidString).webp"
    private var process: ChildProcess?
    private var starts = 0

    var name: String { rival.name }

    /// Creates a contender that is stopped when a picture takes longer than `millisecondsMax`.
    init(_ rival: Rival, millisecondsMax: Int = 60_000) {
        self.rival = rival
        self.millisecondsMax = millisecondsMax
    }

    /// Has it make the picture at `path`; a failure is reported and does not end the bench.
    func run(_ path: String) -> Rival.Run {
        unlink(output)
        defer { unlink(output) }
        do throws(ChildProcess.Failure) {
            let milliseconds = rival.mode == .warm ? try ask(path) : try start(path)
            // A missing file is part of the result.
            let file = (try? Data(contentsOf: URL(filePath: output))).map { [UInt8]($0) }
            return Rival.Run(milliseconds: file == nil ? nil : milliseconds, file: file)
        } catch {
            print("\(name): no result for \(path): \(error.rawValue)")
            return Rival.Run(milliseconds: nil, file: nil)
        }
    }

    private func start(_ path: String) throws(ChildProcess.Failure) -> Double {
        let words = [path, output].map(ChildProcess.quoted).joined(separator: " ")
        let process = try ChildProcess("\(rival.command) \(words) 2>/dev/null")
        return try process.finish(milliseconds: millisecondsMax).milliseconds
    }

    private func ask(_ path: String) throws(ChildProcess.Failure) -> Double {
        let process = try warmProcess()
        self.process = nil
        let seconds = try process.number(
            for: "\(path)\t\(output)", milliseconds: millisecondsMax)
        // A process that gave no answer is not asked again.
        self.process = process
        return seconds * 1000
    }

    private func warmProcess() throws(ChildProcess.Failure) -> ChildProcess {
        if let process { return process }
        guard starts < Self.startsMax else { throw .failedTooOften }
        starts += 1
        return try ChildProcess("exec \(rival.command)")
    }
}
