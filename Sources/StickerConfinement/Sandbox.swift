import CSandbox
import StickerWorkers

/// The lock of this process; see `csandbox_lock`.
enum Sandbox {
    private static let names: [(layer: csandbox_layer, name: String)] = [
        (CSANDBOX_LIFELINE, "lifeline"), (CSANDBOX_PRIVILEGES, "no-new-privs"),
        (CSANDBOX_LIMITS, "rlimits"), (CSANDBOX_LANDLOCK, "Landlock"),
        (CSANDBOX_SECCOMP, "seccomp"),
    ]

    /// Locks the process for good.
    ///
    /// - Parameters:
    ///   - allowance: what it may use.
    ///   - hasThreads: whether threads may be started.
    /// - Returns: the layers that the kernel did not provide.
    static func lock(_ allowance: WorkerAllowance, hasThreads: Bool) -> [String] {
        guard let folder = allowance.fontFolder else { return lock(allowance, hasThreads, nil) }
        return folder.withCString { lock(allowance, hasThreads, $0) }
    }

    private static func lock(
        _ allowance: WorkerAllowance, _ hasThreads: Bool, _ folder: UnsafePointer<CChar>?
    ) -> [String] {
        var limits = csandbox_limits(
            memory_bytes: UInt64(allowance.memoryBytes), cpu_seconds: UInt64(allowance.cpuSeconds),
            file_bytes: UInt64(allowance.fileBytes), threads: hasThreads, readable_folder: folder)
        var error: Int32 = 0
        let missing = csandbox_lock(&limits, WorkerDescriptor.lifeline, &error)
        return names.filter { missing & (1 << Int32($0.layer.rawValue)) != 0 }.map(\.name)
    }
}
