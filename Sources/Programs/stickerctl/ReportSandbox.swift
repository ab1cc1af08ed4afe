import CLinux
import Glibc
import StickerConfiguration
import StickerSystem
import StickerValues
import StickerWorkers

/// The part of a report about the sandbox of workers, and its support in the kernel.
struct ReportSandbox {
    /// The process number of a running daemon.
    let daemon: Int32?

    var lines: [String] {
        var lines = entry("worker", worker) + entry("Landlock", landlock)
        for (name, path) in Self.facts {
            let text = ReportMachine.text(of: path)
            lines += entry(name, "\(path): \(text.isEmpty ? "not there" : text)")
        }
        guard let daemon else { return lines }
        return lines + ["The daemon, process \(daemon):"] + Self.confinement(of: daemon)
    }

    private static let facts = [
        ("modules", "/sys/kernel/security/lsm"),
        ("seccomp", "/proc/sys/kernel/seccomp/actions_avail"),
        ("userns", "/proc/sys/user/max_user_namespaces"),
        ("", "/proc/sys/kernel/unprivileged_userns_clone"),
        ("", "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
        ("profile", "/proc/self/attr/current"),
    ]

    /// A worker started here reports missing layers, instead of refusing to work.
    private var worker: String {
        var settings = WorkerConfiguration()
        settings.unsandboxed = true
        let asked = settings
        do {
            let missing = try WorkerMaking(program: try WorkerProgram.find()) { asked }.check()
            let layers = missing.joined(separator: ", ")
            return "one that this command started is "
                + (missing.isEmpty ? "confined by every layer" : "NOT confined by \(layers)")
        } catch {
            return "none can be started here: \(error)"
        }
    }

    private var landlock: String {
        let version = clinux_landlock_version()
        return version < 0 ? "none: \(SystemCall.message(errno))" : "version \(version)"
    }

    private static func confinement(of process: Int32) -> [String] {
        let wanted = [
            "Uid", "Gid", "Groups", "Threads", "NoNewPrivs", "Seccomp", "CapEff", "VmSize", "VmHWM",
            "VmRSS",
        ]
        let facts = ReportMachine.facts(in: "/proc/\(process)/status", wanted.map { "\($0):" })
        return facts.isEmpty ? ["  it cannot be seen by this user"] : facts.map { "  \($0)" }
    }
}
