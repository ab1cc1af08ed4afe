import CMisdeeds
import CSandbox
import FoundationEssentials
import Glibc
import StickerModel
import StickerWorkers

// Under this name it is a good worker on a kernel that lacks a layer of the lock.
if CommandLine.arguments[0].hasSuffix("/without-landlock") {
    guard cmisdeed_lose_landlock() == 0 else { exit(1) }
    var words = CommandLine.arguments.map { strdup($0) } + [nil]
    execv(
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().path + "/stickerd-worker", &words)
    exit(1)
}

// A worker that a picture has taken over: it locks itself like a good one, and then does what the first
// word of its source says; or what its first text says, if it was given fonts.

guard let allowance = WorkerAllowance(arguments: Array(CommandLine.arguments.dropFirst())) else {
    exit(WorkerExit.otherRelease)
}
// Under this name it is one whose libraries need threads.
let hasThreads =
    CommandLine.arguments[0].hasSuffix("/with-threads") || allowance.fontFolder != nil
// Kept for as long as the process lives.
let folder = allowance.fontFolder.map { UnsafePointer(strdup($0)) } ?? nil
var limits = csandbox_limits(
    memory_bytes: UInt64(allowance.memoryBytes), cpu_seconds: UInt64(allowance.cpuSeconds),
    file_bytes: UInt64(allowance.fileBytes), threads: hasThreads, readable_folder: folder)
var lockError: Int32 = 0
guard csandbox_lock(&limits, WorkerDescriptor.lifeline, &lockError) == 0 else {
    exit(WorkerExit.unconfined)
}

var text = [UInt8](repeating: 0, count: 4096)
let given = allowance.fontFolder == nil ? WorkerDescriptor.source : WorkerDescriptor.order
let length = pread(given, &text, text.count, 0)
let bytes = Data(text.prefix(max(0, length)))
let command = (try? TextOrder(json: bytes))?.texts[0].text ?? String(decoding: bytes, as: UTF8.self)
let words = command.split(separator: " ").map(String.init)
let outbox = WorkerOutbox(socket: WorkerDescriptor.messages)
outbox.tellBeginning()
outbox.tell(step: StepEntry("decode", milliseconds: 1, ""))

/// Says by a step what came of a call.
func tell(_ error: Int32) {
    let words = error == 0 ? "done" : "refused: \(String(cString: strerror(error)))"
    outbox.tell(step: StepEntry(words, milliseconds: 1, ""))
}

switch words.first {
case "open": cmisdeed_open()
case "memory-of-owner": cmisdeed_read_memory_of_owner()
case "socket": cmisdeed_socket()
case "fork": cmisdeed_fork()
case "exec": cmisdeed_exec()
case "ptrace": cmisdeed_ptrace_owner()
case "kill": cmisdeed_kill_owner()
case "thread": cmisdeed_thread()
case "run-data": cmisdeed_run_data()
case "disarm": cmisdeed_disarm_lifeline()
case "null": cmisdeed_null_pointer()
case "stack": cmisdeed_stack_overflow()
case "abort": abort()
case "index": print([1, 2, 3][words.count + 5])
case "memory": fill()
case "spin": while true { text[0] &+= 1 }
case "hang": while true { read(WorkerDescriptor.messages, &text, text.count) }
case "signal-owner": cmisdeed_signal_owner()
case "close-lifeline": close(WorkerDescriptor.lifeline)
case "exit-0": exit(0)
case "exit-71": exit(WorkerExit.lacking)
case "exit-1": exit(1)
case "steps": while true { outbox.tell(step: StepEntry("again", milliseconds: 1, "")) }
case "large-file": ftruncate(Lie.memoryFile(), 1 << 40)
case "read": tell(cmisdeed_read(words[1]))
case "read-below": tell(cmisdeed_read_below(words[1], words[2]))
case "write": tell(cmisdeed_write(words[1]))
case "unlink": cmisdeed_unlink(words[1])
case "link": cmisdeed_link(words[1], words[2])
case "errors": while true { write(2, &text, text.count) }
default: if let word = words.first { Lie(rawValue: word)?.tell() }
}
exit(0)

/// Touches more memory than there may be.
func fill() {
    var blocks: [[UInt8]] = []
    while true { blocks.append([UInt8](repeating: UInt8(blocks.count & 0xFF), count: 1 << 24)) }
}
