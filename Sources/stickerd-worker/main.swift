import CLinux
import Glibc
import StickerWorkers

// One picture: locked in before its first byte is read, and gone with its reply.

guard let allowance = WorkerAllowance(arguments: Array(CommandLine.arguments.dropFirst())) else {
    lastWords("it is started by stickerd, with the command line of its own release")
    exit(WorkerExit.otherRelease)
}
clinux_keep_free_memory()
let missing = Sandbox.lock(allowance)
guard missing.isEmpty || allowance.isUnsandboxedAllowed else {
    lastWords("missing: \(missing.joined(separator: ", "))")
    exit(WorkerExit.unconfined)
}
exit(Work(missingLayers: missing).run())

/// Written before a bad end; only the owner reads it.
func lastWords(_ words: String) {
    let bytes = Array("\(words)\n".utf8)
    _ = write(WorkerDescriptor.errors, bytes, bytes.count)
}
