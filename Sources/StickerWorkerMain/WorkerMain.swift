import CLinux
import Glibc
public import StickerPipeline
import StickerWorkers

/// What every worker program does: one picture, locked in before its first byte is read, and gone with
/// its reply.
public enum WorkerMain {
    /// Works with `readers` as the command line says, and ends the process.
    ///
    /// - Parameters:
    ///   - readers: the decoders that are linked into the program.
    ///   - hasThreads: whether their libraries need threads, which the lock then allows.
    public static func run(_ readers: PictureReaders, hasThreads: Bool = false) -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard let allowance = WorkerAllowance(arguments: arguments) else {
            lastWords("it is started by stickerd, with the command line of its own release")
            exit(WorkerExit.otherRelease)
        }
        clinux_keep_free_memory()
        // A heap for each thread would take the address space of many pictures.
        if hasThreads { clinux_share_heaps(1) }
        let missing = Sandbox.lock(allowance, hasThreads: hasThreads)
        guard missing.isEmpty || allowance.isUnsandboxedAllowed else {
            lastWords("missing: \(missing.joined(separator: ", "))")
            exit(WorkerExit.unconfined)
        }
        let code = Work(readers: readers, missingLayers: missing).run()
        // exit() would wait for what the threads of a library hold.
        if hasThreads { _exit(code) }
        exit(code)
    }
}

/// Written before a bad end; only the owner reads it.
func lastWords(_ words: String) {
    let bytes = Array("\(words)\n".utf8)
    _ = write(WorkerDescriptor.errors, bytes, bytes.count)
}
