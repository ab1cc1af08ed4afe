import FoundationEssentials
import Glibc
import StickerReports
import StickerSystem
import StickerValues

/// The part of a report about the machine: processors, memory, limits and time.
struct ReportMachine {
    /// The process number of a running daemon.
    let daemon: Int32?

    var lines: [String] {
        time + processors + memory + limits + ofDaemon
    }

    private var time: [String] {
        let zone = SystemCall.realPath("/etc/localtime")
        let up = Self.text(of: "/proc/uptime").split(separator: ".").first.flatMap { Int($0) }
        let named = getenv("TZ").map { ", TZ is \(String(cString: $0))" } ?? ""
        return entry(
            "time",
            "\(Timestamp.now.asDate), zone \(TimeZone.current.identifier) (\(zone))\(named), "
                + "up for \(up.map(\.asTime) ?? "?")")
    }

    private var processors: [String] {
        let model =
            Self.text(of: "/proc/cpuinfo").split(separator: "\n")
            .first { $0.hasPrefix("model name") }?.split(separator: ":").last ?? " ?"
        return entry(
            "cpu",
            "\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) of\(model), "
                + "load \(Self.text(of: "/proc/loadavg"))"
        )
            + container
    }

    private var container: [String] {
        let places: [String] = ["/run/.containerenv", "/.dockerenv", "/run/systemd/container"]
        let marks = places.filter { place in access(place, F_OK) == 0 }
        return marks.isEmpty ? [] : entry("container", marks.joined(separator: ", "))
    }

    private var memory: [String] {
        Self.facts(in: "/proc/meminfo", ["MemTotal:", "MemAvailable:", "SwapTotal:", "SwapFree:"])
            .flatMap { entry("memory", $0) }
            + ["cpu", "memory", "io"].flatMap { kind in
                Self.text(of: "/proc/pressure/\(kind)").split(separator: "\n")
                    .flatMap { entry("pressure", "\(kind) \($0)") }
            }
    }

    private var limits: [String] {
        [
            "fs/inotify/max_user_watches", "fs/inotify/max_user_instances",
            "fs/inotify/max_queued_events", "fs/file-nr", "vm/overcommit_memory",
        ].flatMap { entry("limit", "\($0): \(Self.line(of: "/proc/sys/\($0)"))") }
    }

    /// The limits of the daemon and its control group.
    private var ofDaemon: [String] {
        guard let daemon else { return [] }
        let wanted = ["Max open files", "Max processes", "Max address space", "Max file size"]
        let limits = Self.facts(in: "/proc/\(daemon)/limits", wanted).map { "  \($0)" }
        let group = Self.text(of: "/proc/\(daemon)/cgroup").split(separator: "\n")
            .first { $0.hasPrefix("0::") }?.dropFirst(3)
        let bounds = [
            "memory.max", "memory.high", "memory.current", "memory.events", "pids.max", "cpu.max",
        ]
        .compactMap { name -> String? in
            let line = Self.line(of: "/sys/fs/cgroup\(group ?? "")/\(name)")
            return group == nil || line.isEmpty ? nil : "  \(name): \(line)"
        }
        return ["The daemon, process \(daemon):"] + limits + bounds
    }

    /// The lines of a small file of the system that begin with some names, with single blanks.
    static func facts(in path: String, _ names: [String]) -> [String] {
        text(of: path).split(separator: "\n")
            .filter { line in names.contains { line.hasPrefix($0) } }
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    /// The words of a small file of the system; empty if it cannot be read.
    private static func line(of path: String) -> String {
        text(of: path).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The trimmed text of a small file of the system; empty if it cannot be read.
    static func text(of path: String) -> String {
        // The reader sees that this fact is missing.
        let bytes = (try? Descriptor(path, O_RDONLY).firstBytes(64 << 10, path: path)) ?? []
        let end = bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
        let text = bytes[..<end].drop { $0 <= 0x20 }
        return String(decoding: text, as: UTF8.self)
    }
}
