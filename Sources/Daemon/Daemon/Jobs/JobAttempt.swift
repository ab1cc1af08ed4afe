import Foundation
import StickerConfiguration
import StickerStore
import StickerValues
import StickerWatch
import StickerWorkers

/// One attempt at a job. Until its file is read, jobs of all kinds go the same way.
struct JobAttempt {
    let job: ClaimedJob
    let lane: WorkLane
    let tools: JobExecutor
    /// The side file that the job reads; `nil` if it makes a sticker.
    let sideFile: SideFile?
    let steps: JobSteps

    /// How long to wait before looking again for a file that is out of reach.
    static let awayPause = Duration.seconds(10)

    init(at job: ClaimedJob, on lane: WorkLane, tools: JobExecutor) {
        (self.job, self.lane, self.tools) = (job, lane, tools)
        sideFile = SideFile(job.source)
        steps = JobSteps(job: job)
    }

    /// The configuration now in force.
    var configuration: Configuration { tools.settings.current }

    func outcome() -> JobOutcome {
        do {
            if let outcome = try waitForMarks() ?? hold() { return outcome }
        } catch {
            return .failed("\(error)")
        }
        return switch read() {
        case .stopped(let outcome):
            outcome
        case .read(let source, let content):
            if let sideFile {
                WordsJob(attempt: self, file: sideFile, source: source, content: content).outcome()
            } else if job.source.isTemplate {
                TemplateJob(attempt: self, source: source, content: content).outcome()
            } else {
                PictureJob(attempt: self, source: source, content: content, drawn: content)
                    .outcome()
            }
        }
    }

    // MARK: Marks

    /// How long to wait for the folder of marks to have a picture.
    private static let marksPause = Duration.seconds(60)

    /// Makes no sticker without the marks that the look of its category has.
    private func waitForMarks() -> JobOutcome? {
        guard sideFile == nil else { return nil }
        let missing = configuration.missingMarks(of: job.categoryNames)
        guard !missing.isEmpty else { return nil }
        let names = missing.map(FileName.escaped).joined(separator: ", ")
        let why = "its category.json has marks that are not in the folder of marks: \(names)"
        return tools.isDraining ? .unread(why) : .arriving(delay: Self.marksPause, why: why)
    }

    // MARK: Review

    /// Whether an editor has to publish the file first.
    func isHeld(_ content: ContentHash) throws -> Bool {
        guard isReviewed else { return false }
        return isHeld(content, try tools.store.queue.outlook(of: job, content))
    }

    /// The same where everything is read that the database knows of the file.
    func isHeld(_ content: ContentHash, _ outlook: JobOutlook) -> Bool {
        isReviewed && !outlook.isApproved && outlook.live?.file != content
    }

    private var isReviewed: Bool { configuration.settings(of: job.categoryNames).review }

    // MARK: Copies

    /// Holds a conflict copy back while its original is there, has been missing so briefly that it may be replaced, or
    /// may still arrive. A published copy stays. A file that may not be a copy is published with a warning.
    private func hold() throws -> JobOutcome? {
        guard FileKind.of(job.source) == .picture, let copy = ConflictCopy(job.source.name) else {
            return nil
        }
        let original = try original(of: copy)
        guard copy.isCertain else {
            if let original { warn(ofOriginal: original.present) }
            return nil
        }
        guard try tools.store.catalog.liveProduct(of: job.source) == nil else { return nil }
        guard let original else { return waitForOriginal() }
        return .refused(
            .conflictCopy(of: original.name, now: original.present), content: nil)
    }

    private func warn(ofOriginal file: SourceKey) {
        let shown = FileName.escaped(FileName.display(file.name))
        steps.warn("looks-like-copy", "it looks like a copy of \(shown)")
    }

    /// Programs that copy folders keep no order: a new copy waits as long as a file may be missing.
    private func waitForOriginal() -> JobOutcome? {
        let now = Duration.seconds(tools.date().timeIntervalSince1970)
        let age = now - .nanoseconds(job.version.ctime)
        let grace = Duration.seconds(configuration.publish.deleteGraceSeconds)
        guard !tools.isDraining, (.zero..<grace).contains(age) else { return nil }
        return .arriving(
            delay: min(grace - age, Self.awayPause), why: "its original may still arrive")
    }

    /// The original of a copy, and its current name.
    private func original(
        of copy: ConflictCopy
    ) throws -> (name: SourceKey, present: SourceKey)? {
        for name in job.source.siblings(copy.originals) {
            if case .present(_, isRegularFile: true) = tools.look(name) { return (name, name) }
            if let present = try tools.store.catalog.expected(name) { return (name, present) }
        }
        return nil
    }
}
