import Glibc
import StickerValues

/// Interprets the end of a worker: a reply, trouble of the system, or a failed attempt, with the refusal if the next
/// attempt fails, too.
struct WorkerVerdict {
    let end: WorkerEnd
    let order: WorkOrder
    let allowance: WorkerAllowance

    var outcome: WorkerMaking.Outcome {
        switch end.kind {
        case .yielded: .yielded
        case .overdue(let time): failed(overdue(time))
        case .nonsense(let what): failed(crashed("the worker sent \(what)"))
        case .ended: ended
        }
    }

    private var ended: WorkerMaking.Outcome {
        if let signal = end.signal { return failed(killed(by: signal)) }
        if end.exitCode == 0 { return replied }
        // Once it has seen the picture, its messages about the system may be the picture's doing.
        guard !end.inbox.hasBegun else {
            return failed(crashed("the worker ended with code \(end.exitCode ?? -1)"))
        }
        switch end.exitCode {
        case WorkerExit.otherRelease:
            return .unavailable("stickerd-worker is of another release; restart stickerd")
        case WorkerExit.lacking: return .unavailable("the worker: \(end.lastWords)")
        case WorkerExit.unconfined:
            return .unavailable(
                "the kernel cannot confine a worker (\(end.lastWords)); set worker.unsandboxed to "
                    + "true to work without confinement")
        default:
            return failed(crashed("the worker ended with code \(end.exitCode ?? -1)"))
        }
    }

    private var replied: WorkerMaking.Outcome {
        guard !end.inbox.isShort else { return .unavailable("no descriptors are left for a reply") }
        guard let files = end.inbox.reply else {
            return failed(crashed("the worker ended without a reply"))
        }
        do {
            let (report, layers) = try ReplyAudit(
                order: order, fileBytesMax: allowance.fileBytes
            ).report(of: files)
            return .report(report, missingLayers: layers)
        } catch let fault as ReplyAudit.Fault {
            return failed(crashed("the worker's reply is wrong: \(fault.detail)"))
        } catch {
            return .unavailable("\(error)")
        }
    }

    // MARK: Failed attempts

    private func failed(_ refusal: Refusal) -> WorkerMaking.Outcome {
        var log = StepLog()
        log.append(
            StepEntry(
                "worker", milliseconds: end.elapsed.inMilliseconds, "\(refusal.detail); \(figures)")
        )
        return .failed(refusal, log)
    }

    private func overdue(_ time: WorkerEnd.Overdue) -> Refusal {
        Refusal(
            .tooComplex, "making the sticker takes too long\(place)", measured: time.measured,
            limit: time.limit, remedy: Self.simpler)
    }

    private func killed(by signal: Int32) -> Refusal {
        switch signal {
        case SIGXCPU:
            let limit = order.limits.cpuSecondsMax
            return Refusal(
                .tooComplex, "making the sticker takes too much CPU time\(place)",
                measured: "more than \(limit) s", limit: "\(limit) s (limits.cpuSecondsMax)",
                remedy: Self.simpler)
        case _ where isOutOfMemory(signal):
            let what =
                signal == SIGKILL
                ? "the worker was ended by SIGKILL\(place), as the kernel does when memory runs out"
                : "making the sticker takes too much memory\(place)"
            return Refusal(
                .outOfMemory, what,
                measured: figures,
                limit: "\(megabytes(allowance.memoryBytes)) for one worker",
                remedy: "scale the picture down, or leave out frames")
        default:
            return crashed("the worker was ended by \(Self.name(of: signal))")
        }
    }

    /// The allocators of Swift, GLib and Rust abort with their own message, and the kernel kills when memory runs out.
    /// (Other libraries report it, and the pipeline refuses.)
    private func isOutOfMemory(_ signal: Int32) -> Bool {
        signal == SIGKILL
            || ["failed to allocate", "memory allocation of"].contains(
                where: end.lastWords.contains)
    }

    private func crashed(_ what: String) -> Refusal {
        Refusal(
            .decoderCrashed, what + place, measured: figures, limit: "a reply that can be used",
            remedy: "open the file in an image editor and export it again; report it with the file")
    }

    private static let simpler = "leave out frames, or make it smaller, simpler or less noisy"

    // MARK: Texts

    private var place: String { end.inbox.lastStep.map { " after the step \($0)" } ?? "" }

    private var figures: String {
        let (cpu, clock) = (end.cpuTime.inMilliseconds, end.elapsed.inMilliseconds)
        // Not ru_maxrss: the kernel includes its owner's memory.
        return "\(tenths(cpu / 1000)) s of CPU time, \(tenths(clock / 1000)) s by the "
            + "clock, at most \(megabytes(allowance.memoryBytes)) of memory"
    }

    private func tenths(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }

    private func megabytes(_ bytes: Int) -> String { "\(bytes / 1_000_000) MB" }

    private static func name(of signal: Int32) -> String {
        let names: [Int32: String] = [
            SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL",
            SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
            SIGSYS: "SIGSYS, a system call that it may not make",
            SIGTRAP: "SIGTRAP", SIGXFSZ: "SIGXFSZ, a file that is too large",
        ]
        return names[signal] ?? "signal \(signal)"
    }
}
