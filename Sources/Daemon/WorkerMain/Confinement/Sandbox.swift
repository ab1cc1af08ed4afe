import CSandbox
import StickerWorkers

/// The lock of this process; see `csandbox_lock`.
struct Sandbox {
    private static let names: [(layer: csandbox_layer, name: String)] = [
        (CSANDBOX_USER, "a user other than root"), (CSANDBOX_CAPABILITIES, "no capabilities"),
        (CSANDBOX_LIFELINE, "lifeline"), (CSANDBOX_PRIVILEGES, "no-new-privs"),
        (CSANDBOX_LIMITS, "rlimits"), (CSANDBOX_LANDLOCK, "Landlock"),
        (CSANDBOX_SECCOMP, "seccomp"),
    ]

    private var limits: csandbox_limits
    private var missing: Int32 = 0

    /// - Parameters:
    ///   - allowance: the limits of the process.
    ///   - hasThreads: whether threads may be started.
    ///   - folder: the descriptor of the only folder that can be read, if there is one.
    init(_ allowance: WorkerAllowance, hasThreads: Bool, folder: Int32?) {
        limits = csandbox_limits(
            memory_bytes: UInt64(allowance.memoryBytes), cpu_seconds: UInt64(allowance.cpuSeconds),
            file_bytes: UInt64(allowance.fileBytes), threads: hasThreads,
            readable_folder: folder ?? -1)
    }

    var hasThreads: Bool { limits.threads }

    /// The layers that the kernel did not provide.
    var missingLayers: [String] {
        Self.names.filter { missing & (1 << Int32($0.layer.rawValue)) != 0 }.map(\.name)
    }

    /// Takes everything from the process but its system calls, permanently.
    mutating func lock() {
        var error: Int32 = 0
        missing |= csandbox_lock(&limits, WorkerDescriptor.lifeline, &error)
    }

    /// Restricts the process to the system calls that it needs, permanently.
    mutating func filterCalls() {
        var error: Int32 = 0
        missing |= csandbox_filter(&limits, WorkerDescriptor.lifeline, &error)
    }
}
