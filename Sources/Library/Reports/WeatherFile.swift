import Glibc
public import StickerModel
import StickerSystem

/// What is in `run/weather.json`.
public enum WeatherFile: Hashable, Sendable {
    /// Nothing: there is no such file.
    case absent
    /// Something that `stickerd-weather` did not write.
    case foreign
    /// Why it cannot be read, which may pass.
    case unreadable(String)
    case report(WeatherReport)

    /// Reads the file at `path`, at most `WeatherReport.bytesMax` of it.
    public init(_ path: String) {
        do throws(FileError) {
            // Without waiting for a writer if it is a pipe.
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
    /// Where `stickerd-weather` writes what it learns.
    public var weatherPath: String { "\(run)/\(WeatherReport.fileName)" }
}
