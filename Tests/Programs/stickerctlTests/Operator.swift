import Foundation
import StickerStore
import StickerSystem
import StickerTestSupport
import StickerValues

/// A library with some history, and an operator before it.
final class Operator {
    /// The output of a program, and its exit code.
    struct Answer {
        var code: Int32
        var output: String
        var errors: String

        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// The output with every break of a line as a space.
        var text: String { output.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

        /// The output as a JSON object.
        func object() throws -> [String: Any] {
            let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
            guard let object = value as? [String: Any] else { throw CocoaError(.coderInvalidValue) }
            return object
        }
    }

    let folder: TemporaryFolder
    let store: LibraryStore

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("drop")
        try folder.makeFolder("out")
        try folder.makeFolder("state")
        store = try LibraryStore(path: folder.path("state/\(LibraryStore.fileName)"))
        try configure("")
    }

    /// Writes the configuration with these keys besides the folders.
    func configure(_ keys: String) throws {
        let folders = #""drops": ["drop"], "out": "out", "state": "state""#
        try folder.write(
            Array("{ \(folders)\(keys.isEmpty ? "" : ", \(keys)") }".utf8), to: "config.json")
    }

    /// Runs stickerctl on the library.
    func ask(_ arguments: String..., environment: [String: String] = [:]) throws -> Answer {
        try ask(arguments, environment: environment)
    }

    /// Runs stickerctl on the library, which the environment names as it does for an operator who works on one of
    /// several: a command in an answer is then as short as on a machine that has one.
    func ask(
        _ arguments: [String], environment: [String: String] = [:], folder place: String? = nil
    ) throws -> Answer {
        let environment = environment.merging(["STICKERD_CONFIG": folder.path("config.json")]) {
            $1
        }
        return try Self.run("stickerctl", arguments, environment, folder: place)
    }

    /// Runs stickerctl in a working folder, without naming a configuration.
    func standing(in folder: String, _ arguments: String...) throws -> Answer {
        try Self.run("stickerctl", arguments, ["STICKERD_CONFIG": ""], folder: folder)
    }

    /// Runs a program of this build: it lies beside the tests.
    static func run(
        _ program: String, _ arguments: [String], _ environment: [String: String] = [:],
        folder: String? = nil
    ) throws -> Answer {
        let process = Process()
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: program)
        process.arguments = arguments
        process.environment = ProgramEnvironment.inherited.merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Answer(
            code: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    /// Runs stickerctl on a terminal without colours.
    static func runOnTerminal(_ arguments: [String]) throws -> [String] {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "stickerctl").path
        let command = ([program] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/script")
        process.arguments = ["--quiet", "--command", command, "/dev/null"]
        process.environment = ProgramEnvironment.inherited.merging(["TERM": "dumb"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map(String.init)
    }

    // MARK: History

    /// A sticker that was published.
    @discardableResult
    func made(
        _ path: String, content: Int = 1, encoding: Encoding = Encoding(mode: .lossy, quality: 82.5)
    ) throws -> JobID {
        var log = StepLog()
        log.append(StepEntry("decode", milliseconds: 41, cpuMilliseconds: 38, "scaled to 512x512"))
        var chosen = FitRecord.Attempt(.lossy, quality: 82.5, bytes: 96_412)
        chosen.isChosen = true
        let fit = FitRecord(
            target: Target.whatsApp, bytesMax: 99_000,
            attempts: [FitRecord.Attempt(.lossless, quality: 0, bytes: 210_000), chosen])
        log.append(
            StepEntry("fit", milliseconds: 300, "2 encodings for at most 99,000 B", fit: fit))
        let ids = Recipe(settings: StickerSettings()).ids.still
        let file = StickerFile(
            role: .sticker, target: Target.whatsApp, recipe: ids.renditions[0].recipe,
            format: .webp, size: .sticker, bytes: 96_412,
            sha256: ContentHash(of: [UInt8(content)]), encoding: encoding)
        let product = StickerProduct(
            recipe: ids.whole, sideRecipe: ids.sideFiles, revision: Recipe.currentRevision,
            animated: false,
            encoding: encoding, files: [file])
        return try end(path, .made(product, content: ContentHash(of: [UInt8(content)])), log)
    }

    /// A file that was refused after so many looks at it.
    @discardableResult
    func refused(
        _ path: String, _ reason: Refusal.Reason = .tooLong, looks: Int = 1
    ) throws -> JobID {
        let refusal = Refusal(
            reason, "it plays for 14.2 s", measured: "14.2 s", limit: "10 s",
            remedy: "shorten it")
        var log = StepLog()
        for _ in 1...looks { log.append(StepEntry("read", milliseconds: 1, "1,234 B")) }
        return try end(path, .refused(refusal, content: ContentHash(of: [0])), log)
    }

    private func end(_ path: String, _ outcome: JobOutcome, _ log: StepLog) throws -> JobID {
        try waiting(path)
        guard let job = try store.queue.turn(finished: [], claiming: .any(1)).claimed.first else {
            throw CocoaError(.featureUnsupported)
        }
        _ = try store.queue.turn(
            finished: [FinishedJob(job: job, outcome: outcome, log: log)], claiming: .any(0))
        return job.id
    }

    /// A file that was removed.
    func gone(_ path: String) throws { _ = try store.queue.accept([], gone: [key(path)]) }

    private func key(_ path: String) -> SourceKey {
        let parts = path.split(separator: "/").map(String.init)
        return SourceKey(
            drop: folder.path("drop"),
            directory: Array(parts.dropLast().joined(separator: "/").utf8),
            name: Array((parts.last ?? "").utf8))
    }

    /// A file that waits.
    func waiting(_ path: String) throws {
        let version = FileVersion(
            inode: UInt64(bitPattern: Int64(path.hashValue)), size: 1234, mtime: 1, ctime: 1)
        _ = try store.queue.accept([
            Sighting(key: key(path), version: version, isRegularFile: true, origin: .closed)
        ])
    }
}
