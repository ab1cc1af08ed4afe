import CLinux
import Glibc
import StickerSystem
import StickerValues

/// One worker from its start to its end. The calling thread waits for it.
final class WorkerProcess {
    /// How often to check whether the worker may go on.
    private static let look = Duration.milliseconds(250)

    private let process: pid_t
    /// Becomes readable when the worker ends.
    private let ending: Descriptor
    private let messages: Descriptor
    /// The kernel kills the worker once this is closed.
    private let lifeline: Descriptor
    private let errors: MemoryFile
    private var inbox = WorkerInbox()
    private let start = ContinuousClock.now

    /// Starts `program`, or has `server` start a copy of it.
    ///
    /// - Throws: `WorkerTrouble` if the system lacks something.
    init(
        program: String, source: SourceBytes, order: [UInt8], allowance: WorkerAllowance,
        server: ForkServer? = nil
    ) throws(WorkerTrouble) {
        let source = try MemoryFile.sharing(source)
        let order = try MemoryFile(order)
        errors = try MemoryFile([], isSealed: false)
        let line = try DescriptorPair.pipe()
        let socket = try DescriptorPair.messages()
        let descriptors = [
            source.descriptor, order.descriptor, errors.descriptor, line.theirs.raw,
            socket.theirs.raw,
        ]
        // They are closed when released, which the optimiser may do before they are passed on.
        process = try withExtendedLifetime((source, order)) { () throws(WorkerTrouble) in
            if let copy = try server?.start(allowance.arguments, descriptors) { return copy }
            return try Self.spawn(program, allowance.arguments, descriptors)
        }
        let ending = Descriptor(adopting: clinux_process_descriptor(process))
        guard ending.raw >= 0 else {
            let trouble = WorkerTrouble("pidfd_open")
            _ = Self.end(process)
            throw trouble
        }
        self.ending = ending
        messages = socket.ours
        lifeline = line.ours
    }

    static func spawn(
        _ program: String, _ arguments: [String], _ descriptors: [Int32]
    ) throws(WorkerTrouble) -> pid_t {
        var process: pid_t = 0
        // With an inherited SIG_IGN, the kernel would discard the status.
        signal(SIGCHLD, SIG_DFL)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let error = clinux_spawn(
            program, &words, descriptors, Int32(descriptors.count), &process)
        guard error == 0 else { throw WorkerTrouble("starting \(program)", errno: error) }
        return process
    }

    /// Waits until the worker has ended, by itself, when its time is up or because of `shouldYield`.
    func wait(_ allowed: WorkerTime, _ shouldYield: (Duration) -> Bool) -> WorkerEnd {
        var verdict: WorkerEnd.Kind?
        var nextLook = start + Self.look
        var watch = WorkerWatch(of: process, allowed)
        while verdict == nil {
            verdict = listen(until: nextLook)
            let now = ContinuousClock.now
            // By time, not by silence: a worker that sends all the time must yield, too.
            guard verdict == nil, now >= nextLook else { continue }
            nextLook = now + Self.look
            let overdue = watch.look(inbox.hasDecoded)
            verdict =
                shouldYield(.seconds(watch.used)) ? .yielded : overdue.map { .overdue($0) }
        }
        let (status, usage) = Self.end(process, kill: verdict != .ended)
        return WorkerEnd(
            kind: verdict ?? .ended, status: status, usage: usage, elapsed: .now - start,
            lastWords: lastWords, inbox: inbox)
    }

    /// Receives messages until `time`, or until there is a verdict.
    private func listen(until time: ContinuousClock.Instant) -> WorkerEnd.Kind? {
        // Once the worker's side of the socket is closed, only its end is left to wait for.
        var polled = [
            pollfd(fd: inbox.isClosed ? -1 : messages.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: ending.raw, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = max(0, (time - .now).inMilliseconds.rounded(.up))
        guard poll(&polled, 2, Int32(milliseconds)) > 0 else { return nil }
        if polled[0].revents != 0 { inbox.take(from: messages) }
        if polled[1].revents != 0 { inbox.takeAll(from: messages) }
        if let nonsense = inbox.nonsense { return .nonsense(nonsense) }
        return polled[1].revents != 0 ? .ended : nil
    }

    /// Kills the worker unless it has ended, and collects its status.
    static func end(_ process: pid_t, kill: Bool = true) -> (Int32, rusage) {
        if kill { Glibc.kill(process, SIGKILL) }
        var status: Int32 = 0
        var usage = rusage()
        _ = SystemCall.retrying { wait4(process, &status, 0, &usage) }
        return (status, usage)
    }

    /// The first line written before the worker ended, at most 300 bytes of printable text.
    private var lastWords: String {
        // Only text for people: the signal is known without it.
        let bytes = (try? errors.bytes(count: 300)) ?? []
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return FileName.escaped(String(decoding: line, as: UTF8.self))
    }
}

/// How a worker ended, as its owner saw it.
struct WorkerEnd {
    enum Kind: Equatable {
        /// By itself: see `status`.
        case ended
        /// Killed: its time was up.
        case overdue(Overdue)
        /// Killed: others were waiting for its lane.
        case yielded
        /// Killed: it sent something that no honest worker sends.
        case nonsense(String)
    }

    /// The time that was up.
    enum Overdue: Hashable {
        /// For this long it used no CPU time and did not wait for any.
        case idle(seconds: Int)
        /// Neither computing nor waiting for a processor.
        case asleep(seconds: Int)
        /// CPU time for the first attempt at a drawing.
        case drawing(seconds: Int)
    }

    var kind: Kind
    /// The status of wait4(2).
    var status: Int32
    var usage: rusage
    var elapsed: Duration
    var lastWords: String
    var inbox: WorkerInbox

    /// The CPU time that it used.
    var cpuTime: Duration {
        [usage.ru_utime, usage.ru_stime].reduce(.zero) {
            $0 + .seconds($1.tv_sec) + .microseconds($1.tv_usec)
        }
    }

    /// The time that was up, if that ended it.
    var overdue: Overdue? { if case .overdue(let time) = kind { time } else { nil } }

    /// The signal that ended it.
    var signal: Int32? { status & 0x7F == 0 ? nil : status & 0x7F }

    var exitCode: Int32? { signal == nil ? status >> 8 & 0xFF : nil }
}

/// The messages of a worker so far.
struct WorkerInbox {
    /// The last finished step.
    private(set) var lastStep: String?
    /// The reply, then the finished files.
    private(set) var reply: [MemoryFile]?
    /// The message that no honest worker sends.
    private(set) var nonsense: String?
    /// Whether it had locked itself and was about to read the picture, which may control it from then on.
    private(set) var hasBegun = false
    /// Whether it reported that the picture is decoded.
    private(set) var hasDecoded = false
    /// Whether it closed its side.
    private(set) var isClosed = false
    /// Whether this process had no descriptors left for the files sent.
    private(set) var isShort = false
    private var steps = 0

    /// Receives every remaining message.
    mutating func takeAll(from socket: borrowing Descriptor) {
        while nonsense == nil, take(from: socket) {}
    }

    /// Receives one message, if one has arrived.
    @discardableResult
    mutating func take(from socket: borrowing Descriptor) -> Bool {
        var bytes = [UInt8](repeating: 0, count: WorkerMessage.bytesMax)
        var descriptors = [Int32](repeating: -1, count: WorkerMessage.filesMax + 1)
        var count = Int32(descriptors.count)
        let length = clinux_receive(socket.raw, &bytes, bytes.count, &descriptors, &count)
        // Everything received is closed when `files` is released, even if it came with an empty message.
        let files = descriptors.prefix(Int(count)).map {
            MemoryFile(adopting: Descriptor(adopting: $0))
        }
        guard length > 0 else {
            note(emptyMessageWith: files.count, length < 0 ? errno : 0)
            return false
        }
        note(Array(bytes.prefix(length)), files)
        return true
    }

    private mutating func note(emptyMessageWith files: Int, _ error: Int32) {
        switch error {
        case EAGAIN: break
        case EMFILE: isShort = true
        case EMSGSIZE: nonsense = "a message that is too large"
        default:
            isClosed = true
            if files > 0 { nonsense = "files without a message" }
        }
    }

    private mutating func note(_ message: [UInt8], _ files: [MemoryFile]) {
        switch WorkerMessage(rawValue: message[0]) {
        case .begun where files.isEmpty && message.count == 1: hasBegun = true
        case .step where files.isEmpty && steps < WorkerMessage.stepsMax:
            steps += 1
            lastStep = FileName.escaped(String(decoding: message.dropFirst(), as: UTF8.self))
            hasDecoded = hasDecoded || lastStep == "decode"
        case .reply where reply == nil && message.count == 1 && !files.isEmpty:
            reply = files
        default:
            nonsense = "an unexpected message"
        }
    }
}

extension WorkerEnd.Overdue {
    /// The measured value, for people.
    var measured: String {
        switch self {
        case .idle(let seconds): "\(seconds) s without any CPU time"
        case .asleep(let seconds): "more than \(seconds) s of sleep"
        case .drawing(let seconds): "more than \(seconds) s of CPU time to draw it"
        }
    }

    /// The exceeded limit.
    var limit: String {
        switch self {
        case .idle(let seconds): "\(seconds) s"
        case .asleep(let seconds):
            "\(seconds) s, \(WorkerTime.sleepFactor) times limits.cpuSecondsMax"
        case .drawing(let seconds): "\(seconds) s in the first attempt"
        }
    }
}
