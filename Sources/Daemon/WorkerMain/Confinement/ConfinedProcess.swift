import CLinux
import Glibc
import StickerWorkers

/// The frame of every worker program: it locks itself in before its first byte is read, works, and ends after its
/// reply.
public enum ConfinedProcess {
    /// Locks the process according to the command line, works, and ends the process.
    ///
    /// - Parameters:
    ///   - hasThreads: whether the program's libraries need threads, which the lock then allows.
    ///   - warmUp: runs once in a process of which workers are copies.
    ///   - work: receives the missing layers of the lock and returns the exit code.
    public static func run(
        hasThreads: Bool = false, warmUp: () -> Void = {}, _ work: ([String]) -> Int32
    ) -> Never {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if ForkProtocol.asksForServer(arguments) {
            clinux_keep_heap_small()
            warmUp()
            arguments = ForkService.serve()
        }
        let allowance = WorkerAllowance(arguments: arguments)
        guard let allowance, allowance.fontFolder == nil else { endAsOfAnotherRelease() }
        run(allowance, Sandbox(allowance, hasThreads: hasThreads, folder: nil), {}) {
            missing, _ in work(missing)
        }
    }

    /// The same for a program that reads the folder of fonts that the command line names; its libraries need threads.
    ///
    /// - Parameters:
    ///   - fonts: reads the folder at a path, which contains no links. The process is already locked, except for its
    ///     system calls: files not read now can be opened later, but not searched for.
    ///   - work: receives the missing layers of the lock and the fonts, and returns the exit code.
    public static func run<Fonts>(
        reading fonts: (String) -> Fonts, _ work: ([String], Fonts) -> Int32
    ) -> Never {
        let allowance = WorkerAllowance(arguments: Array(CommandLine.arguments.dropFirst()))
        guard let allowance, let path = allowance.fontFolder else { endAsOfAnotherRelease() }
        let folder = open(path, clinux_open_path_flag() | O_DIRECTORY | O_CLOEXEC)
        // A worker that is no longer root may be unable to pass through all parent folders.
        let place = folder < 0 ? path : "/proc/self/fd/\(folder)"
        let sandbox = Sandbox(allowance, hasThreads: true, folder: folder < 0 ? nil : folder)
        run(allowance, sandbox, { fonts(place) }, work)
    }

    private static func endAsOfAnotherRelease() -> Never {
        LastWords.write("it is started by stickerd, with the command line of its own release")
        exit(WorkerExit.otherRelease)
    }

    private static func run<Prepared>(
        _ allowance: WorkerAllowance, _ sandbox: consuming Sandbox, _ prepare: () -> Prepared,
        _ work: ([String], Prepared) -> Int32
    ) -> Never {
        clinux_keep_free_memory()
        // A heap for each thread would take the address space of many pictures.
        if sandbox.hasThreads { clinux_share_heaps(1) }
        sandbox.lock()
        let prepared = prepare()
        sandbox.filterCalls()
        let missing = sandbox.missingLayers
        guard missing.isEmpty || allowance.isUnsandboxedAllowed else {
            LastWords.write("missing: \(missing.joined(separator: ", "))")
            exit(WorkerExit.unconfined)
        }
        let code = work(missing, prepared)
        // exit() would wait for locks that the library's threads hold.
        if sandbox.hasThreads { _exit(code) }
        exit(code)
    }
}

/// A line written before an abnormal end; only the owner reads it.
public enum LastWords {
    /// Writes a line.
    public static func write(_ words: String) {
        let bytes = Array("\(words)\n".utf8)
        _ = Glibc.write(WorkerDescriptor.errors, bytes, bytes.count)
    }
}
