public import ArgumentParser
import FoundationEssentials
import Glibc
public import Logging
import StickerDaemon
import StickerLogs
import StickerConfiguration
import StickerValues
import StickerStore

/// `stickerd`: the daemon in the foreground.
@main
struct StickerdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stickerd",
        abstract: "Turns pictures dropped into folders into stickers.",
        discussion: """
            Without --config the file is looked for in STICKERD_CONFIG, ./config.json and \
            /etc/stickerd/config.json; without any, built-in defaults apply.

            Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 (with --drain) a file is refused, jobs \
            wait or a drop is away, 78 faulty configuration, or a database that this release \
            cannot use.
            """,
        version: Stickerd.version)

    @Option(help: ArgumentHelp("The configuration.", valueName: "file"))
    var config: String?

    @Flag(help: "Handle everything present, publish, and end.")
    var drain = false

    @Flag(help: "Make only the stickers that users upload (personal.drop).")
    var personal = false

    @Flag(help: "Work even if the kernel cannot confine a worker, as worker.unsandboxed does.")
    var allowUnsandboxed = false

    @Option(
        help: """
            Log lines from this level on: trace, debug, info, notice, warning, error or critical.
            """)
    var logLevel = Logger.Level.info

    /// Wrong usage ends with 2, as documented in the manual; the parser's own code is a different one.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            let message = Array("\(fullMessage(for: error))\n".utf8)
            _ = write(2, message, message.count)
            Glibc.exit(2)
        }
    }

    func run() throws {
        let code = Self.start(
            config: config, drain: drain, isPersonal: personal,
            isUnsandboxedAllowed: allowUnsandboxed, level: logLevel)
        throw ExitCode(code)
    }

    /// Not isolated to the main actor, so that no callback created on the way inherits it.
    nonisolated private static func start(
        config: String?, drain: Bool, isPersonal: Bool, isUnsandboxedAllowed: Bool,
        level: Logger.Level
    ) -> Int32 {
        let environment = ProcessInfo.processInfo.environment
        let logger = Logger.program(
            "stickerd", level: level, journalStream: environment["JOURNAL_STREAM"])
        do {
            let file = try ConfigurationFile.load(
                flag: config, environment: environment,
                workingFolder: FileManager.default.currentDirectoryPath)
            let daemon = try Daemon(
                configuration: file, isOfUploads: isPersonal, isDraining: drain,
                isUnsandboxedAllowed: isUnsandboxedAllowed, terminal: .standardError,
                logger: logger)
            return try daemon.run()
        } catch let error as ConfigurationError {
            for fault in error.faults {
                logger.error("faulty configuration", metadata: ["detail": "\(fault)"])
            }
            ServiceManager().failed(summary(error.faults))
            return error.mayPass ? 1 : EX_CONFIG
        } catch {
            logger.error("cannot run", metadata: ["detail": "\(error)"])
            ServiceManager().failed("cannot run: \(error)")
            // Another start would change nothing.
            return (error as? StoreError)?.kind == .unsuitable ? EX_CONFIG : 1
        }
    }

    /// One line for the status of the service.
    nonisolated private static func summary(_ faults: [JSONFault]) -> String {
        let all = faults.count == 1 ? "" : "; all \(faults.count) faults: \(stickerctl: "check")"
        return "faulty configuration: \(faults[0])\(all)"
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
