import Foundation
import Glibc
import StickerConfiguration
import StickerTestSupport
import StickerValues
import StickerWorkers
import Testing

/// A worker that was taken over fails its attempt, and that is all that it does.
struct HostileWorkerTests {
    @Test(arguments: [
        ("null", "SIGSEGV"), ("stack", "SIGSEGV"), ("abort", "SIGABRT"), ("index", "SIG"),
        ("exit-1", "code 1"), ("exit-71", "code 71"), ("exit-0", "without a reply"),
        ("large-file", "SIGXFSZ"),
        ("errors", "SIGXFSZ"),
    ])
    func crashIsToldWithItsSignalAndStep(misdeed: String, detail: String) {
        let refusal = make(misdeed).workerRefusal

        #expect(refusal?.reason == .decoderCrashed)
        #expect(refusal?.detail.contains(detail) == true, "\(refusal?.detail ?? "no refusal")")
        #expect(refusal?.detail.contains("after the step decode") == true)
        #expect(refusal?.measured?.contains("MB of memory") == true)
    }

    /// Set where builds have a sanitizer.
    private static let isSanitized = getenv("ASAN_OPTIONS") != nil

    @Test(.enabled(if: !isSanitized, "a sanitizer needs all addresses that there are"))
    func memoryIsBounded() {
        let refusal = make("memory").workerRefusal

        #expect(refusal?.reason == .outOfMemory)
    }

    @Test func computingIsBounded() {
        var limits = DecodeLimits()
        limits.cpuSecondsMax = 1

        let refusal = make("spin", limits).workerRefusal

        #expect(refusal?.reason == .tooComplex)
        #expect(refusal?.limit == "1 s (limits.cpuSecondsMax)")
    }

    @Test func waitingIsBounded() {
        let refusal = make("hang").workerRefusal

        #expect(refusal?.reason == .tooComplex)
        #expect(refusal?.measured == "10 s without any CPU time" && refusal?.limit == "10 s")
    }

    @Test func sleepIsBounded() {
        var limits = DecodeLimits()
        limits.cpuSecondsMax = 1

        let refusal = make("doze", limits).workerRefusal

        #expect(refusal?.reason == .tooComplex)
        #expect(refusal?.measured == "more than 10 s of sleep")
        #expect(refusal?.limit == "10 s, 10 times limits.cpuSecondsMax")
    }

    @Test(arguments: [
        "no-files", "not-json", "deep-json", "unsealed", "too-many-files", "long-message",
        "unknown-message", "files-alone", "twice", "no-sticker", "not-a-webp", "empty-file",
        "steps",
    ])
    func lieIsNotBelieved(lie: String) {
        let refusal = make(lie).workerRefusal

        #expect(refusal?.reason == .decoderCrashed, "\(String(describing: refusal))")
    }

    /// The kernel counts the descriptors that all processes of a user have sent, and refuses one more for a moment.
    @Test func replyWaitsForTheFilesOfOthersToArrive() throws {
        let folder = try TemporaryFolder()
        let program = folder.path("crowded")
        try FileManager.default.createSymbolicLink(
            atPath: program, withDestinationPath: Built.path("hostile-worker"))

        let report = WorkerMaking(program: program) { .init() }.make(
            SourceBytes(Array("not-json".utf8)), recipe: Recipe(settings: StickerSettings()),
            limits: DecodeLimits())

        let detail = report.workerRefusal?.detail
        #expect(detail?.contains("not one of this release") == true, "\(detail ?? "none")")
    }

    @Test func laneThatIsWantedBackIsGivenBack() {
        let source = SourceBytes(Array("hang".utf8))
        let lane = WorkLane(isLarge: false) { _ in true }

        let report = hostile.make(
            source, recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits(), lane: lane)

        #expect(report.result.failure == .yielded)
    }

    @Test func workerOfAnotherReleaseIsNoFaultOfAFile() {
        let other = WorkerMaking(program: "/bin/false") { .init() }

        let report = other.make(
            SourceBytes([1]), recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits())

        // A process that ends with 1 and no message is not our worker; it is started again all the same.
        #expect(report.workerRefusal?.detail.contains("code 1") == true)
    }

    @Test func missingWorkerIsNoFaultOfAFile() {
        let none = WorkerMaking(program: "/nonexistent/stickerd-worker") { .init() }

        let report = none.make(
            SourceBytes([1]), recipe: Recipe(settings: StickerSettings()), limits: DecodeLimits())

        guard case .failure(.lacking(let why)) = report.result else {
            Issue.record("\(report.result)")
            return
        }
        #expect(why.contains("No such file"))
    }

    private let hostile = WorkerMaking(program: Built.path("hostile-worker")) { .init() }

    /// The outcome of a worker that was started; that of a copy must be the same.
    private func make(_ misdeed: String, _ limits: DecodeLimits = DecodeLimits()) -> MakeReport {
        let (source, recipe) = (
            SourceBytes(Array(misdeed.utf8)), Recipe(settings: StickerSettings())
        )
        let copies = WorkerMaking.copying(Built.path("hostile-worker"))
        let report = hostile.make(source, recipe: recipe, limits: limits)

        var copied = copies.make(source, recipe: recipe, limits: limits).workerRefusal
        // Memory and time differ.
        if copied?.measured?.contains("of CPU time,") == true {
            copied?.measured = report.workerRefusal?.measured
        }
        #expect(copied == report.workerRefusal)
        return report
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
