import Glibc
import StickerConfiguration
public import StickerValues

/// Finds `stickerd-worker` and the programs beside it.
public enum WorkerProgram {
    private static let name = "stickerd-worker"

    /// The path of the worker: next to the running program, or in the `libexec` of its prefix.
    ///
    /// - Throws: `WorkerUnavailable`, which names the searched places.
    public static func find() throws -> String {
        let folder = RunningProgram.folder
        let places = ["\(folder)/\(name)", "\(folder)/../libexec/\(name)"]
        for place in places where access(place, X_OK) == 0 { return place }
        throw WorkerUnavailable(
            description: "\(name) is missing: neither \(places[0]) nor \(places[1]) can be run; "
                + "install all of stickerd")
    }

    /// The programs that can be copied: their libraries start no threads.
    static func forked(beside path: String) -> Set<String> {
        Set(
            ImageFormat.allCases.filter { $0 != .heic && $0 != .svg }.map {
                Self.path(path, for: $0)
            })
    }

    /// The program that makes pictures of `format`, if the ordinary one is at `path`: libraries that few pictures need
    /// are linked into separate programs.
    static func path(_ path: String, for format: ImageFormat?) -> String {
        switch format {
        case .tiff, .avif: path + "-formats"
        case .heic: path + "-heic"
        case .svg: path + "-drawing"
        default: path
        }
    }

    /// The formats that cannot be read because their program is missing beside the one at `path`.
    public static func missingFormats(beside path: String) -> [ImageFormat] {
        ImageFormat.allCases.filter { access(Self.path(path, for: $0), X_OK) != 0 }
    }
}
