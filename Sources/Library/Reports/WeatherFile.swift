import Glibc
public import StickerConfiguration
import StickerSystem
public import StickerValues

/// The content of `run/weather.json`.
public enum WeatherFile: Hashable, Sendable {
    /// There is no such file.
    case absent
    /// `stickerd-net weather` did not write it.
    case foreign
    /// It cannot be read, which may be temporary; with the reason.
    case unreadable(String)
    case report(WeatherReport)

    /// Reads the file at `path`, at most `WeatherReport.bytesMax` of it.
    public init(_ path: String) {
        do throws(FileError) {
            // Do not wait for a writer if it is a pipe.
            let file = try Descriptor(path, O_RDONLY | O_NONBLOCK)
            let bytes = try file.firstBytes(WeatherReport.bytesMax + 1, path: path)
            let report = bytes.count <= WeatherReport.bytesMax ? WeatherReport(json: bytes) : nil
            self = report.map { .report($0) } ?? .foreign
        } catch {
            self = error.kind == .vanished ? .absent : .unreadable("\(error)")
        }
    }
}

extension Configuration {
    /// The file that `stickerd-net weather` writes.
    public var weatherPath: String { "\(run)/\(WeatherReport.fileName)" }
}
