public import CoreMetrics
import Glibc
import StickerSystem
import Synchronization

/// Metrics of the running process, from the kernel and the program itself.
///
/// The usual prefix is `process_`. But here the metrics of two programs share one page, on which each name may occur
/// once.
public final class ProcessMetrics: Sendable {
    /// The families of a program whose metrics begin with `prefix` and an underscore.
    public static func families(_ prefix: String) -> [MetricFamily] {
        let names = Names(prefix)
        return [
            names.build, names.start, names.processor, names.memory, names.files,
        ]
    }

    private struct Names {
        let build, start, processor, memory, files: MetricFamily

        init(_ prefix: String) {
            build = MetricFamily(
                .gauge, "\(prefix)_build_info", "Always 1; the label says which version runs.",
                labels: ["version"])
            start = MetricFamily(
                .gauge, "\(prefix)_start_time_seconds", "When it started, in seconds since 1970.")
            processor = MetricFamily(
                .counter, "\(prefix)_cpu_seconds_total",
                "CPU time of the process itself, and of its children that have ended.",
                labels: ["of"])
            memory = MetricFamily(
                .gauge, "\(prefix)_resident_memory_bytes", "Resident memory.")
            files = MetricFamily(
                .gauge, "\(prefix)_open_files", "Open descriptors.")
        }
    }

    private let memory: Meter
    private let files: Meter
    private let times: Mutex<(own: TotalFollower, children: TotalFollower)>

    /// Begins to measure the calling process.
    ///
    /// - Parameters:
    ///   - prefix: the same as for `families`.
    ///   - version: of the program.
    ///   - factory: receives the figures.
    public init(_ prefix: String, version: String, in factory: any MetricsFactory) {
        let names = Names(prefix)
        names.build.gauge(version, in: factory).set(1)
        names.start.gauge(in: factory).set(time(nil))
        memory = names.memory.gauge(in: factory)
        files = names.files.gauge(in: factory)
        times = Mutex(
            (
                own: TotalFollower(names.processor.sum("self", in: factory)),
                children: TotalFollower(names.processor.sum("children", in: factory))
            ))
    }

    /// Updates the figures. Those that the kernel does not report keep their values.
    public func refresh() {
        times.withLock { times in
            times.own.follow(Self.processorSeconds(RUSAGE_SELF))
            times.children.follow(Self.processorSeconds(RUSAGE_CHILDREN))
        }
        if let bytes = Self.residentBytes { memory.set(bytes) }
        // The listing itself has one open.
        if let open = try? FolderListing("/proc/self/fd").rest() { files.set(open.count - 1) }
    }

    private static func processorSeconds(_ who: __rusage_who) -> Double {
        var usage = rusage()
        getrusage(who.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime]
            .reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    /// The second number of `/proc/self/statm`; see proc(5).
    private static var residentBytes: Int? {
        let path = "/proc/self/statm"
        guard let file = try? Descriptor(path, O_RDONLY),
            let bytes = try? file.readToEnd(path: path)
        else { return nil }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * Int(getpagesize()) } : nil
    }
}
