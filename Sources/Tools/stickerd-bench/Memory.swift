import FoundationEssentials
import Glibc

/// The peak memory of processes that make one sticker each.
enum Memory {
    private static let millisecondsMax = 300_000

    /// The peak in megabytes of a process that makes only this sticker.
    static func peakMegabytes(_ path: String) -> Double? {
        let command = "/proc/\(getpid())/exe --single \(ChildProcess.quoted(path)) 2>/dev/null"
        // Without the process, the number is missing, not wrong.
        let printed = try? ChildProcess(command).finish(milliseconds: millisecondsMax).text
        return printed?.split(separator: "\n").last.flatMap { Double($0) }
    }

    /// This process's own peak: not `getrusage`, which counts the parent's as well.
    static var ownPeakMegabytes: Double {
        // Without the file, the number is missing, not wrong.
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.filter(\.isNumber)).flatMap { Double($0) }.map { $0 / 1024 } ?? .nan
    }
}
