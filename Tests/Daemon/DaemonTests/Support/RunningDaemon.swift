import Foundation
import StickerTestSupport

/// A stickerd of this build as a process of its own, with the test in the place of systemd.
final class RunningDaemon {
    /// The messages it sent to its service manager.
    let messages = WaitableValue<[String]>([])
    /// Its log.
    let log = WaitableValue("")
    private let process = Process()
    private let notify: NotifySocket
    private let errors = Pipe()
    private let folder: TemporaryFolder

    /// Starts on `folder`/config.json; `mount` is a command that runs in the folder before it, in a mount
    /// namespace of their own.
    init(
        _ folder: TemporaryFolder, environment: [String: String] = [:], mount: String? = nil
    ) throws {
        self.folder = folder
        notify = try NotifySocket(path: folder.path("notify")) { [messages] message in
            messages.update { $0.append(message) }
        }
        process.executableURL = Self.program("stickerd")
        process.arguments = ["--config", folder.path("config.json")]
        if let mount {
            let start = "exec \(Self.program("stickerd").path) --config config.json"
            process.executableURL = URL(filePath: "/usr/bin/unshare")
            process.arguments = [
                "--mount", "sh", "-ec", "cd \(folder.path); \(mount); \(start)",
            ]
        }
        process.environment = ProgramEnvironment.inherited
            .merging(["NOTIFY_SOCKET": folder.path("notify")]) { $1 }
            .merging(environment) { $1 }
        process.standardError = errors
        errors.fileHandleForReading.readabilityHandler = { [log] handle in
            let text = String(decoding: handle.availableData, as: UTF8.self)
            log.update { $0 += text }
        }
        try process.run()
    }

    deinit {
        errors.fileHandleForReading.readabilityHandler = nil
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    /// A program of this build: it lies beside the tests.
    static func program(_ name: String) -> URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
    }

    /// Whether this process may mount in a namespace of its own.
    static let canMount: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
        process.standardError = FileHandle.nullDevice
        guard getuid() == 0, (try? process.run()) != nil else { return false }  // no unshare here
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Runs a shell command in its folder and its mount namespace.
    func run(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/nsenter")
        process.arguments = [
            "--target", "\(self.process.processIdentifier)", "--mount", "sh", "-ec",
            "cd \(folder.path); \(command)",
        ]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw POSIXError(.EINVAL) }
    }

    /// Waits for a message that begins so; whether it came.
    func says(_ beginning: String) async -> Bool {
        await messages.wait { $0.contains { $0.hasPrefix(beginning) } } != nil
    }

    /// Waits for a line of the log that holds `text`; whether it came.
    func logs(_ text: String) async -> Bool { await log.wait { $0.contains(text) } != nil }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Asks it to stop and waits.
    ///
    /// - Returns: its exit code.
    func stop() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// The socket behind `NOTIFY_SOCKET`.
private final class NotifySocket {
    private let source: any DispatchSourceRead

    init(path: String, receive: @escaping @Sendable (String) -> Void) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, status == 0 else { throw POSIXError(.EINVAL) }
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "test.notify"))
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let length = read(descriptor, &buffer, buffer.count)
            receive(String(decoding: buffer.prefix(max(0, length)), as: UTF8.self))
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit { source.cancel() }
}
