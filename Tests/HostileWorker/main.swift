import CMisdeeds
import FoundationEssentials
import Glibc
import StickerValues
import StickerWorkerMain
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

// Under this name it has a neighbour who leaves more descriptors in flight than a locked worker may open.
if CommandLine.arguments[0].hasSuffix("/crowded") {
    guard cmisdeed_crowd() == 0 else { exit(1) }
}

// A worker that a picture has taken over: it locks itself like a good one, and then does what its source says; or what
// its first text says, if it has no source.

if CommandLine.arguments.last?.hasPrefix("/") == true {
    ConfinedProcess.run(reading: { $0 }) { _, fonts in takeOver(fonts) }
}
// Under this name it is one whose libraries need threads.
let hasThreads = CommandLine.arguments[0].hasSuffix("/with-threads")
ConfinedProcess.run(hasThreads: hasThreads, warmUp: { if hasThreads { startThread() } }) { _ in
    takeOver("")
}

/// Starts a thread that does nothing, as a library might.
func startThread() {
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { _ in
            while true { pause() }
        }, nil)
}

func takeOver(_ fonts: String) -> Int32 {
    var text = [UInt8](repeating: 0, count: 4096)
    func given(_ descriptor: Int32) -> Data {
        let length = pread(descriptor, &text, text.count, 0)
        return Data(text.prefix(max(0, length)))
    }
    let source = given(WorkerDescriptor.source)
    let command =
        source.isEmpty
        ? (try? TextOrder(json: given(WorkerDescriptor.order)))?.texts[0].text ?? ""
        : String(decoding: source, as: UTF8.self)
    let words = command.split(separator: " ").map(String.init)
    let outbox = WorkerOutbox(socket: WorkerDescriptor.messages)
    outbox.tellBeginning()
    outbox.tell(step: StepEntry("decode", milliseconds: 1, ""))

    switch words.first {
    case "attempt":
        let error = cmisdeed_attempt(Int32(words[1]) ?? 0, words[2], fonts)
        let outcome = error == 0 ? "done" : "refused: \(String(cString: strerror(error)))"
        outbox.tell(step: StepEntry(outcome, milliseconds: 1, ""))
    case "null": cmisdeed_null_pointer()
    case "stack": cmisdeed_stack_overflow()
    case "abort": abort()
    case "index": print([1, 2, 3][words.count + 5])
    case "memory": fill()
    case "spin": while true { text[0] &+= 1 }
    case "doze":
        while true {
            cmisdeed_sleep()
            for index in 0..<1000 { text[index & 1] &+= 1 }
        }
    case "hang": while true { read(WorkerDescriptor.messages, &text, text.count) }
    case "exit-71": return WorkerExit.lacking
    case "exit-1": return 1
    case "steps": while true { outbox.tell(step: StepEntry("again", milliseconds: 1, "")) }
    case "large-file": ftruncate(Lie.memoryFile(), 1 << 40)
    case "errors": while true { write(2, &text, text.count) }
    default: if let word = words.first { Lie(rawValue: word)?.tell() }
    }
    return 0
}

/// Touches more memory than there may be.
func fill() {
    var blocks: [[UInt8]] = []
    while true { blocks.append([UInt8](repeating: UInt8(blocks.count & 0xFF), count: 1 << 24)) }
}
