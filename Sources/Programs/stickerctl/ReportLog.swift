import StickerSystem
import StickerValues

/// The state of the services in systemd, and the last lines of their logs.
struct ReportLog {
    private static let linesMax = 2000

    private let units: [String]

    init(_ subject: ReportSubject) {
        let daemon = subject.isOfUploads ? "stickerd-personal" : "stickerd"
        units = [daemon, "stickerd-web", "stickerd-console", "stickerd-weather"].map {
            "\($0).service"
        }
    }

    /// The last lines of the journal, the oldest first.
    func lines() throws -> [String] {
        let options = ["--no-pager", "--quiet", "--reverse", "--utc", "--output=short-iso"]
        let output = try Self.output(
            "journalctl", options + ["--lines=\(Self.linesMax)"] + units.map { "--unit=\($0)" })
        let lines = output.split(separator: "\n").map(String.init).reversed()
        guard !lines.isEmpty else {
            throw ReportGap(
                "the journal has no lines of \(units.joined(separator: ", ")) that this user "
                    + "may read; a daemon that systemd did not start writes to its standard error")
        }
        return Array(lines)
    }

    /// Whether each service runs, since when, and how it last ended.
    func services() throws -> [String] {
        let properties = [
            "Id", "LoadState", "ActiveState", "SubState", "Result", "ExecMainStatus",
            "ExecMainStartTimestamp", "NRestarts", "MemoryCurrent", "MemoryMax", "TasksMax",
            "FragmentPath", "DropInPaths",
        ].joined(separator: ",")
        return try Self.output(
            "systemctl", ["show", "--no-pager", "--property=\(properties)"] + units
        )
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The output of a program.
    ///
    /// - Throws: `ReportGap` if it fails.
    private static func output(_ program: String, _ arguments: [String]) throws -> String {
        guard let output = ProgramOutput(program, arguments) else {
            throw ReportGap("there is no \(program) here")
        }
        guard output.isCut || output.code == 0 else {
            let how = output.code.map { "ended with \($0)" } ?? "did not end"
            let words = output.text.prefix(500).split(whereSeparator: \.isNewline)
            throw ReportGap("\(program) \(how): \(words.joined(separator: " "))")
        }
        return output.text
    }
}
