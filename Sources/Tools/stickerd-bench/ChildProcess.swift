import Glibc

/// A shell command beside the bench, which receives lines on its standard input and whose output is read.
final class ChildProcess {
    /// Why there is no answer.
    enum Failure: String, Error {
        case couldNotStart = "it could not be started"
        case ended = "it ended"
        case tooSlow = "it took too long and was stopped"
        case failedTooOften = "it failed too often to be started again"
    }

    private let identifier: pid_t
    /// Our end of the socket for its standard input and output.
    private let socket: Int32
    private var received: [UInt8] = []
    private var isRunning = true

    /// Starts `command` in a separate process group, so that it can be ended with its children.
    init(_ command: String) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .couldNotStart }
        defer { close(ends[1]) }
        guard let child = Self.spawn(command, with: ends[1]) else {
            close(ends[0])
            throw .couldNotStart
        }
        (identifier, socket) = (child, ends[0])
    }

    /// Ends it at once if it is still running.
    deinit {
        if isRunning {
            kill(-identifier, SIGKILL)
            waitpid(identifier, nil, 0)
        }
        close(socket)
    }

    private static func spawn(_ command: String, with socket: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        posix_spawnattr_setpgroup(&attributes, 0)
        var arguments = [strdup("sh"), strdup("-c"), strdup(command), nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let status = posix_spawn(&child, "/bin/sh", &actions, &attributes, &arguments, environ)
        return status == 0 ? child : nil
    }

    /// Sends a line and returns the first number among the lines that follow; libraries may print
    /// messages before it.
    func number(for line: String, milliseconds: Int) throws(Failure) -> Double {
        let sent = Array("\(line)\n".utf8)
        guard send(socket, sent, sent.count, Int32(MSG_NOSIGNAL)) == sent.count else {
            throw .ended
        }
        let deadline = Deadline(milliseconds)
        while true {
            while let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let answer = String(decoding: received[..<end], as: UTF8.self)
                received.removeFirst(end + 1)
                if let number = Double(answer) { return number }
            }
            guard try receive(before: deadline) else { throw .ended }
        }
    }

    /// Waits until it has ended by itself.
    ///
    /// - Returns: its output, and the CPU time in milliseconds of it and its children.
    func finish(milliseconds: Int) throws(Failure) -> (text: String, milliseconds: Double) {
        shutdown(socket, Int32(SHUT_WR))
        let deadline = Deadline(milliseconds)
        while try receive(before: deadline) {}
        var usage = rusage()
        while wait4(identifier, nil, WNOHANG, &usage) == 0 {
            guard deadline.millisecondsLeft > 0 else { throw .tooSlow }
            usleep(500)
        }
        isRunning = false
        return (
            String(decoding: received, as: UTF8.self),
            Self.milliseconds(usage.ru_utime) + Self.milliseconds(usage.ru_stime)
        )
    }

    /// Adds output to `received`; false at the end.
    private func receive(before deadline: Deadline) throws(Failure) -> Bool {
        var wanted = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        while poll(&wanted, 1, Int32(deadline.millisecondsLeft)) <= 0 {
            guard deadline.millisecondsLeft > 0 else { throw .tooSlow }
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        received += buffer[..<count]
        return true
    }

    private static func milliseconds(_ time: timeval) -> Double {
        Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3
    }

    /// A path or another word, quoted as one argument for the shell.
    static func quoted(_ word: String) -> String {
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'\(parts.joined(separator: #"'\''"#))'"
    }
}

/// A time limit.
private struct Deadline {
    private let end: ContinuousClock.Instant

    init(_ milliseconds: Int) { end = .now + .milliseconds(milliseconds) }

    var millisecondsLeft: Int { max(0, Int((end - .now) / .milliseconds(1))) }
}
