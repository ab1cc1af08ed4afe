import ArgumentParser
import FoundationEssentials
import StickerConfiguration
import StickerPackFiles
import StickerReports
import StickerSystem
import StickerValues

/// `stickerctl report`: writes the facts that a maintainer needs into one file.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes a report for maintainers into one file, without secrets.",
        discussion: """
            Versions, the configuration without keys and tokens, the status, a job with its steps, \
            the last log, the sandbox and the machine, as text: read it before you send it. No \
            picture is in it without --with-picture. Nothing is sent anywhere.
            """)

    @OptionGroup var shared: SharedOptions

    @Argument(
        help: """
            A job by its number, or a file or sticker, or a part of its name; default the last \
            jobs that need attention.
            """)
    var job: String?

    @Option(
        help: ArgumentHelp(
            "The file to write; stickerd-report-TIME.txt unless given.", valueName: "file"))
    var to: String?

    @Flag(help: "Write a ZIP of the text and the picture of the job.")
    var withPicture = false

    func validate() throws {
        if withPicture, job == nil {
            throw ValidationError("--with-picture needs the job whose picture it is")
        }
    }

    func run() throws {
        let path = CommandLine.absolutePath(to ?? defaultName)
        shared.noteUntrustedFile()
        // A dangling link counts as existing, too.
        if (try? FileStatus(link: path)) != nil {
            complain("\(FileName.escaped(path)) is there already; name another file with --to")
            throw ExitCode(1)
        }
        let (items, missing) = try Terminal.$isLeftOut.withValue(true) { try gathered() }
        try write(items, to: path)
        print("\(FileName.escaped(path)): read it before you send it")
        guard let missing else { return }
        complain("the picture is not in it: \(FileName.escaped(missing))")
        throw ExitCode(3)
    }

    /// The text, and the picture if it is wanted and exists.
    ///
    /// - Returns: the files, and why the picture is missing.
    private func gathered() throws -> (items: [ArchiveItem], missing: String?) {
        let subject = ReportSubject(shared)
        let library = try subject.library(job: job, withPicture: withPicture)
        let report = text(subject, library)
        var items = [ArchiveItem("report.txt", .bytes(report.bytes))]
        switch library.picture {
        case .success(let picture)?: items.append(picture)
        case .failure(let error)?: return (items, "\(error)")
        case nil: break
        }
        return (items, nil)
    }

    private func text(_ subject: ReportSubject, _ library: ReportLibrary) -> SupportReport {
        let picture = withPicture ? "the picture lies beside it" : "no picture is in it"
        var report = SupportReport(
            introduction: [
                "Written by `stickerctl report` on \(Timestamp.now.asDate)",
                "for the maintainers of stickerd. Read it before you send it: names of",
                "pictures, folders, users and machines are in it, as they may be the",
                "cause. Keys, tokens and passwords are left out; \(picture).",
            ], without: subject.secrets)
        report.add("Versions", bytesMax: 48 << 10) { ReportVersions(live: library.live).lines }
        report.add("Status") { try library.status.get() }
        report.add(job == nil ? "Jobs" : "Job", bytesMax: 192 << 10) { try library.jobs.get() }
        report.add("Configuration", bytesMax: 96 << 10) { try subject.configurationLines() }
        report.add("Configuration that the daemon runs with") { try library.difference.get() }
        report.add("Sandbox") { ReportSandbox(daemon: library.daemon).lines }
        report.add("Folders") { try subject.folderLines() }
        report.add("Machine") { ReportMachine(daemon: library.daemon).lines }
        report.add("Services") { try ReportLog(subject).services() }
        report.add("Log", bytesMax: 384 << 10, leavingOut: .start) {
            try ReportLog(subject).lines()
        }
        return report
    }

    private func write(_ items: [ArchiveItem], to path: String) throws {
        try complaining {
            try AtomicFile.create(path) { (file: borrowing Descriptor) in
                if !withPicture, case .bytes(let bytes)? = items.first?.content {
                    try file.writeAll(bytes, path: path)
                } else {
                    try ArchiveWriter.write(items, as: .zip, to: file, path: path)
                }
            }
        }
    }

    /// Every report has a unique name.
    private var defaultName: String {
        let time = Timestamp.now.asDate.filter { $0 != "-" && $0 != ":" }
        return "stickerd-report-\(time).\(withPicture ? "zip" : "txt")"
    }
}
