import CLinux
import Glibc
import StickerWorkers

/// What every worker program does: it locks itself in before its first byte is read, works, and is gone with its reply.
public enum ConfinedProcess {
    /// What a worker knows once it is locked in.
    public struct Surroundings: Sendable {
        /// The layers of the lock that the kernel did not provide.
        public let missingLayers: [String]
        /// The only folder that can be read; `nil` if none can.
        public let fontFolder: String?
    }

    /// Locks the process as the command line says, works, and ends the process.
    ///
    /// - Parameters:
    ///   - hasThreads: whether the program's libraries need threads, which the lock then allows.
    ///   - readsFonts: whether the program reads a folder of fonts, which the command line then names.
    ///   - work: returns the exit code.
    public static func run(
        hasThreads: Bool = false, readsFonts: Bool = false, _ work: (Surroundings) -> Int32
    ) -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let allowance = WorkerAllowance(arguments: arguments),
            (allowance.fontFolder != nil) == readsFonts
        else {
            LastWords.write("it is started by stickerd, with the command line of its own release")
            exit(WorkerExit.otherRelease)
        }
        clinux_keep_free_memory()
        // A heap for each thread would take the address space of many pictures.
        if hasThreads { clinux_share_heaps(1) }
        let missing = Sandbox.lock(allowance, hasThreads: hasThreads)
        guard missing.isEmpty || allowance.isUnsandboxedAllowed else {
            LastWords.write("missing: \(missing.joined(separator: ", "))")
            exit(WorkerExit.unconfined)
        }
        let code = work(
            Surroundings(missingLayers: missing, fontFolder: allowance.fontFolder))
        // exit() would wait for what the threads of a library hold.
        if hasThreads { _exit(code) }
        exit(code)
    }
}

/// Written before a bad end; only the owner reads it.
public enum LastWords {
    /// Writes a line.
    public static func write(_ words: String) {
        let bytes = Array("\(words)\n".utf8)
        _ = Glibc.write(WorkerDescriptor.errors, bytes, bytes.count)
    }
}
