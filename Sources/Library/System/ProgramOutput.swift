import CLinux
import Glibc

/// The output of a system program: for diagnosis only.
public struct ProgramOutput: Hashable, Sendable {
    /// The output, errors included.
    public var text: String
    /// The exit code; `nil` if it did not exit by itself.
    public var code: Int32?
    /// Whether it exceeded the limit and was ended for that.
    public var isCut: Bool

    /// The folders of system programs; the caller's environment cannot add others.
    private static let folders = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]

    /// Runs a system program without input and environment, and waits until it ends; `nil` if there is no such program,
    /// or it cannot be started.
    ///
    /// - Parameters:
    ///   - name: the name of the program.
    ///   - arguments: its arguments.
    ///   - bytesMax: the limit of the output.
    ///   - milliseconds: it is killed after this time.
    public init?(
        _ name: String, _ arguments: [String], bytesMax: Int = 1 << 20, milliseconds: Int = 20_000
    ) {
        let places: [String] = Self.folders.map { "\($0)/\(name)" }
        let path: String? = places.first { place in access(place, X_OK) == 0 }
        guard let path, let child = Self.start(path, arguments) else { return nil }
        defer { close(child.output) }
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        var (bytes, isCut, isOver) = ([UInt8](), false, false)
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while !isOver, !isCut {
            var polled = pollfd(fd: child.output, events: Int16(POLLIN), revents: 0)
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0, SystemCall.retrying({ poll(&polled, 1, Int32(left)) }) > 0 else {
                break
            }
            let count = SystemCall.retrying { read(child.output, &buffer, buffer.count) }
            isOver = count <= 0
            bytes += buffer.prefix(max(0, count))
            isCut = bytes.count > bytesMax
        }
        if !isOver { kill(-child.process, SIGKILL) }
        var status: Int32 = 0
        _ = SystemCall.retrying { waitpid(child.process, &status, 0) }
        text = String(decoding: bytes.prefix(bytesMax), as: UTF8.self)
        // WIFEXITED and WEXITSTATUS of wait(2).
        code = isOver && status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
        self.isCut = isCut
    }

    private static func start(
        _ path: String, _ arguments: [String]
    ) -> (process: pid_t, output: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard let null = try? Descriptor("/dev/null", O_RDWR), clinux_pipe(&ends) == 0 else {
            return nil
        }
        let writer = Descriptor(adopting: ends[1])
        signal(SIGCHLD, SIG_DFL)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let descriptors = [null.raw, writer.raw, writer.raw]
        guard clinux_spawn(path, &words, descriptors, 3, &process) == 0 else {
            close(ends[0])
            return nil
        }
        return (process, ends[0])
    }
}
