import Glibc

/// Finds `stickerd-worker`.
public enum WorkerProgram {
    private static let name = "stickerd-worker"

    /// The path of the worker: next to the running program, or in the `libexec` of its prefix.
    ///
    /// - Throws: `WorkerUnavailable`, which names the places that were searched.
    public static func find() throws -> String {
        let folder = folderOfProgram()
        let places = ["\(folder)/\(name)", "\(folder)/../libexec/\(name)"]
        for place in places where access(place, X_OK) == 0 { return place }
        throw WorkerUnavailable(
            description: "\(name) is missing: neither \(places[0]) nor \(places[1]) can be run; "
                + "install all of stickerd")
    }

    private static func folderOfProgram() -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &bytes, bytes.count)
        let path = String(
            decoding: bytes.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
