import ArgumentParser
import Logging
import StickerConfiguration
import StickerDaemon
import StickerProgram
import StickerStore
import StickerValues

/// `stickerd`: the daemon in the foreground.
@main
struct StickerdCommand: Program {
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

    @Option(help: .configuration)
    var config: String?

    @Flag(help: "Handle everything present, publish, and end.")
    var drain = false

    @Flag(help: "Make only the stickers that users upload (personal.drop).")
    var personal = false

    @Flag(help: "Work even if the kernel cannot confine a worker, as worker.unsandboxed does.")
    var allowUnsandboxed = false

    @Option(help: .logLevel(valueName: nil))
    var logLevel = Logger.Level.info

    func run() throws {
        let start = Invocation(of: "stickerd", config: config, level: logLevel)
        let code: Int32
        do {
            let daemon = try Daemon(
                configuration: start.configuration(), isOfUploads: personal, isDraining: drain,
                isUnsandboxedAllowed: allowUnsandboxed, terminal: .standardError,
                logger: start.logger)
            code = try daemon.run()
        } catch {
            let faults = (error as? ConfigurationError)?.faults
            ServiceManager().failed(faults.map(Self.summary) ?? "cannot run: \(error)")
            let isFinal = (error as? StoreError)?.kind == .unsuitable
            throw start.failure(error, isFinal: isFinal)
        }
        throw ExitCode(code)
    }

    /// One line for the status of the service.
    private static func summary(_ faults: [JSONFault]) -> String {
        let all = faults.count == 1 ? "" : "; all \(faults.count) faults: \(stickerctl: "check")"
        return "faulty configuration: \(faults[0])\(all)"
    }
}
