import Foundation
import Glibc
import StickerTestSupport

/// A library of its own: drop, output, state and configuration below one temporary folder.
final class Workshop: Sendable {
    /// Its `config.json`, as far as tests need other values than the defaults.
    struct Settings: Encodable, Sendable {
        /// `drop` beside the configuration.
        var drops = ["drop"]
        var out = "out"
        var state = "state"
        var workers = 2
        var watch = ["settleSeconds": 0.2, "arrivingSecondsMax": 1]
        var queue = ["retrySeconds": [0.1, 0.1, 0.1]]
        var publish: [String: Value] = ["freeSpaceReserveBytes": 0]
        var limits: [String: Int] = [:]
        var color: [String: String] = [:]
        var sticker: [String: [String]] = [:]
        var categories: [String: [String: Value]] = [:]
        var web: [String: String] = [:]
    }

    /// A value of a part that has values of several types.
    enum Value: Encodable, Sendable, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
        ExpressibleByIntegerLiteral
    {
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([String])

        init(booleanLiteral value: Bool) { self = .flag(value) }
        init(floatLiteral value: Double) { self = .number(value) }
        init(integerLiteral value: Int) { self = .number(Double(value)) }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .flag(let value): try value.encode(to: encoder)
            case .number(let value): try value.encode(to: encoder)
            case .text(let value): try value.encode(to: encoder)
            case .list(let value): try value.encode(to: encoder)
            }
        }
    }

    let folder: TemporaryFolder
    let config: String
    let drop: String
    let out: String
    let state: String

    /// Writes the configuration; nothing else is there yet but an empty drop.
    convenience init(_ settings: Settings = Settings(), below parent: String? = nil) throws {
        let folder = try TemporaryFolder(below: parent)
        try folder.makeFolder("drop")
        try self.init(settings, in: folder, stage: "")
    }

    /// A copy of all that `other` has made, in a folder of its own below that of `other`. Both watch
    /// the same drop, and so take up the same changes.
    convenience init(copyOf other: Workshop, _ settings: Settings, stage: String) throws {
        try other.folder.makeFolder(stage)
        for made in [other.out, other.state] {
            let copy = "\(stage)/\((made as NSString).lastPathComponent)"
            try FileManager.default.copyItem(atPath: made, toPath: other.folder.path(copy))
        }
        var settings = settings
        settings.drops = [other.drop]
        try self.init(settings, in: other.folder, stage: "\(stage)/")
    }

    private init(_ settings: Settings, in folder: TemporaryFolder, stage: String) throws {
        self.folder = folder
        drop = folder.path("drop")
        out = folder.path("\(stage)out")
        state = folder.path("\(stage)state")
        config = try folder.write(Array(JSONEncoder().encode(settings)), to: "\(stage)config.json")
    }

    /// Writes another configuration over the one that is there.
    func configure(_ settings: Settings) throws {
        try Data(JSONEncoder().encode(settings)).write(to: URL(filePath: config))
    }

    /// The folder that holds the configuration.
    var place: String { (config as NSString).deletingLastPathComponent }

    /// Writes a file below the drop, in place as `cp` does.
    func put(_ bytes: [UInt8], _ path: String) throws {
        try folder.write(bytes, to: "drop/\(path)")
    }

    /// Writes a file elsewhere and renames it over `path` below the drop.
    func replace(_ path: String, with bytes: [UInt8]) throws {
        let made = try folder.write(bytes, to: "elsewhere/\(UUID().uuidString)")
        try check(rename(made, "\(drop)/\(path)"), "rename \(path)")
    }

    func move(_ path: String, to other: String) throws {
        try check(rename("\(drop)/\(path)", "\(drop)/\(other)"), "rename \(path)")
    }

    func remove(_ path: String) throws { try check(unlink("\(drop)/\(path)"), "unlink \(path)") }

    // MARK: Programs

    /// `stickerd --drain` to its end.
    func drain(
        environment: [String: String] = [:], logLevel: String = "info"
    ) async throws -> Program.Ending {
        try await run("stickerd", ["--drain", "--log-level", logLevel], environment).ending()
    }

    /// `stickerd`, as soon as it watches the drop.
    func start(
        environment: [String: String] = [:], logLevel: String = "info"
    ) async throws -> Program {
        let daemon = try run("stickerd", ["--log-level", logLevel], environment)
        try await daemon.says("drop folder found")
        return daemon
    }

    func stickerctl(_ arguments: String...) async throws -> Program.Ending {
        try await stickerctl(arguments)
    }

    func stickerctl(_ arguments: [String]) async throws -> Program.Ending {
        try await run("stickerctl", arguments).ending()
    }

    /// Starts a program on the library, which the environment names: commands in its messages are then as short as on
    /// a machine that has one library.
    private func run(
        _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
    ) throws -> Program {
        try Program(
            program, arguments,
            environment: environment.merging(["STICKERD_CONFIG": config]) { $1 })
    }

    /// The counts of `stickerctl status --json`.
    struct Status: Decodable {
        /// Jobs that wait, and jobs that are worked on.
        var waiting, working: Int
        /// Files that are gone while their stickers wait for them.
        var missing: Int
        var needAttention: Int
    }

    func status() async throws -> Status {
        struct Report: Decodable { var status: Status }
        let output = try await stickerctl("status", "--json").output
        return try JSONDecoder().decode(Report.self, from: Data(output.utf8)).status
    }

    /// `stickerctl jobs --json`, oldest first.
    func jobs() async throws -> [JobLine] {
        let listing = try await stickerctl("jobs", "--json")
        return try JobLine.all(listing.output).reversed()
    }

    /// Waits until the jobs are as wanted.
    @discardableResult
    func jobs(
        upTo limit: Duration = .seconds(120), _ what: String,
        until isMet: @Sendable ([JobLine]) -> Bool
    ) async throws -> [JobLine] {
        let end = ContinuousClock.now + limit
        var jobs: [JobLine] = []
        repeat {
            jobs = try await self.jobs()
            if isMet(jobs) { return jobs }
        } while ContinuousClock.now < end
        throw Program.Late(description: "\(what): \(jobs)")
    }

    /// Waits until what is published is as wanted.
    @discardableResult
    func published(
        upTo limit: Duration = .seconds(120), _ what: String, until isMet: (Library) -> Bool
    ) async throws -> Library {
        var library = Library()
        let isThere = try await waitUntil(upTo: limit) {
            library = try Library(below: out)
            return isMet(library)
        }
        guard isThere else { throw Program.Late(description: "\(what): \(library.names)") }
        return library
    }
}

/// A system call that a test relies on failed.
struct CallFailed: Error, CustomStringConvertible {
    let description: String
}

func check(_ result: Int32, _ what: @autoclosure () -> String) throws {
    guard result >= 0 else {
        throw CallFailed(description: "\(what()): \(String(cString: strerror(errno)))")
    }
}
