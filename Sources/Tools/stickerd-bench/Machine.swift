import CWebP
import FoundationEssentials
import Glibc

/// The machine of the measurement.
enum Machine {
    static var description: String {
        // Without the file, the rest is still useful.
        let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = info.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = model?.split(separator: ":").last.map { $0.drop { $0 == " " } } ?? "unknown CPU"
        return "\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores of \(name)"
    }

    static var libraries: String {
        let version = WebPGetEncoderVersion()
        return "libwebp \(version >> 16).\(version >> 8 & 255).\(version & 255)"
    }
}
