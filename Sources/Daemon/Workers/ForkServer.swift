import CLinux
import Glibc
import StickerSystem
import Synchronization

/// Starts workers as copies of one process of their program, in which everything is linked and warm already.
///
/// That process holds no picture and has one thread; `ForkService` is its side. Copies are children of the calling process,
/// like programs that it starts itself. Nobody waits for a server: until it is ready, and after it ended, the program is
/// started instead.
final class ForkServer: Sendable {
    /// How long an answer may take on a busy machine.
    private static let answerMilliseconds: Int32 = 30_000
    /// The pause after a server that ended by itself.
    private static let rest = Duration.seconds(10)
    /// How long a server serves: updated libraries reach only those that are started later.
    private static let ageMax = Duration.seconds(3600)

    private let program: String
    private let state = Mutex(State())

    private struct State {
        /// Whether the program was started before: for one picture alone, a server is not worth it.
        var isWanted = false
        var process: ServingProcess?
        var isReady = false
        var restsUntil: ContinuousClock.Instant?

        mutating func end(restingFor rest: Duration?) {
            (process, isReady) = (nil, false)
            restsUntil = rest.map { .now + $0 }
        }
    }

    /// Creates a server that starts `program` when it is needed.
    init(of program: String) { self.program = program }

    /// Starts a worker with `arguments` and `descriptors`.
    ///
    /// - Returns: its process; `nil` if the server is not ready.
    /// - Throws: `WorkerTrouble` if it is unknown whether there is a worker. It ends with its lifeline.
    func start(
        _ arguments: [String], _ descriptors: [Int32]
    ) throws(WorkerTrouble) -> pid_t? {
        try state.withLock { state throws(WorkerTrouble) in
            guard let process = ready(&state) else { return nil }
            let request = Array(arguments.joined(separator: "\0").utf8)
            // It says nothing unasked: if there are news, it has ended.
            guard !process.hasNews(), process.send(request, descriptors) else {
                state.end(restingFor: Self.rest)
                return nil
            }
            switch process.message(milliseconds: Self.answerMilliseconds) {
            case let worker? where worker > 0: return worker
            case .some:
                state.end(restingFor: Self.rest)
                return nil
            case nil:
                state.end(restingFor: Self.rest)
                throw WorkerTrouble("the fork server of \(program)", errno: ECHILD)
            }
        }
    }

    /// Ends the server, so that another one with other addresses follows: whoever took a copy over may have learnt them.
    func renew() { state.withLock { $0.end(restingFor: nil) } }

    /// The process of the server once it is ready: the next worker will be a copy of it.
    var process: pid_t? { state.withLock { ready(&$0)?.process } }

    /// Whether there is a process, ready or not.
    var isStarted: Bool { state.withLock { $0.process != nil } }

    /// The process if it is ready; starts one if there is none.
    private func ready(_ state: inout State) -> ServingProcess? {
        guard let process = state.process else {
            let isWanted = exchange(&state.isWanted, with: true)
            guard isWanted, (state.restsUntil ?? .now) <= .now else { return nil }
            state.process = try? ServingProcess(program)
            if state.process == nil { state.end(restingFor: Self.rest) }
            return nil
        }
        guard .now - process.start < Self.ageMax else {
            state.end(restingFor: nil)
            return nil
        }
        if !state.isReady {
            guard process.hasNews() else { return nil }
            guard process.message(milliseconds: 0) == ForkProtocol.ready else {
                state.end(restingFor: Self.rest)
                return nil
            }
            state.isReady = true
        }
        return process
    }
}

/// The fork servers of the programs whose libraries start no threads.
final class ForkServers: Sendable {
    private let servers: [String: ForkServer]

    /// Creates servers of `program` and the programs beside it.
    init(beside program: String) {
        let programs = WorkerProgram.forked(beside: program)
        servers = Dictionary(uniqueKeysWithValues: programs.map { ($0, ForkServer(of: $0)) })
    }

    /// The server of `program`, if it has one.
    func server(of program: String) -> ForkServer? { servers[program] }
}

/// A process that copies itself when asked. It ends with its owner.
private final class ServingProcess: Sendable {
    let process: pid_t
    let start = ContinuousClock.now
    private let socket: Descriptor

    init(_ program: String) throws(WorkerTrouble) {
        let pair = try DescriptorPair.messages()
        let errors = try MemoryFile([], isSealed: false)
        process = try withExtendedLifetime(errors) { () throws(WorkerTrouble) in
            try WorkerProcess.spawn(
                program, ForkProtocol.arguments,
                [pair.theirs.raw, errors.descriptor, errors.descriptor])
        }
        socket = pair.ours
    }

    deinit { _ = WorkerProcess.end(process) }

    func send(_ request: [UInt8], _ descriptors: [Int32]) -> Bool {
        clinux_send(
            socket.raw, request, request.count, descriptors, Int32(descriptors.count)) == 0
    }

    /// Whether it has sent something, or has ended.
    func hasNews(milliseconds: Int32 = 0) -> Bool {
        var polled = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
        return SystemCall.retrying { poll(&polled, 1, milliseconds) } > 0
    }

    /// The next number that it sends; `nil` if none comes in time, or it has ended.
    func message(milliseconds: Int32) -> Int32? {
        guard hasNews(milliseconds: milliseconds) else { return nil }
        var number: Int32 = 0
        var none: Int32 = 0
        let size = MemoryLayout.size(ofValue: number)
        return clinux_receive(socket.raw, &number, size, nil, &none) == size ? number : nil
    }
}
