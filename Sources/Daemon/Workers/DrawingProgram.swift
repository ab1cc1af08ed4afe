import FoundationEssentials
import Glibc

/// `stickerd-worker-drawing` and its folder of fonts.
struct DrawingProgram: Hashable, Sendable {
    /// The path of the program.
    let path: String
    /// The absolute path of the folder of fonts, without links.
    let fonts: String

    /// The names and sizes of the fonts, as text that changes with them.
    var fontsText: String {
        let folder = "\(fonts)/fonts"
        // A folder that cannot be read has no fonts.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { name in
            var status = stat()
            return stat("\(folder)/\(name)", &status) == 0 ? "\(name) \(status.st_size)" : name
        }.joined(separator: "\n")
    }

    /// Finds the program beside the one at `worker`, and its fonts: in `stickerd-fonts` beside both, as in a build, or
    /// in `share/stickerd/fonts` of their prefix.
    ///
    /// - Parameter worker: the path of `stickerd-worker`; `WorkerProgram.find` finds it.
    /// - Returns: both paths.
    /// - Throws: `WorkerUnavailable`, which names the searched places and the command that builds the missing part.
    static func find(beside worker: String) throws -> DrawingProgram {
        let program = worker + "-drawing"
        guard access(program, X_OK) == 0 else {
            throw WorkerUnavailable(
                description:
                    "texts and vectors are drawn by stickerd-worker-drawing, and \(program) cannot be "
                    + "run; install all of stickerd")
        }
        let folder = worker.lastIndex(of: "/").map { String(worker[..<$0]) } ?? "."
        let places = ["\(folder)/stickerd-fonts", "\(folder)/../share/stickerd/fonts"]
        for place in places where access("\(place)/fonts.conf", R_OK) == 0 {
            // Fontconfig identifies its cache by the path.
            guard let path = realpath(place, nil) else { continue }
            defer { free(path) }
            return DrawingProgram(path: program, fonts: String(cString: path))
        }
        throw WorkerUnavailable(
            description:
                "texts and vectors are drawn with fonts, and neither \(places[0]) nor \(places[1]) has a "
                + "fonts.conf; run share/stickerd/fonts.sh of the installation, or in a source "
                + "tree: deploy/fonts.sh \(places[0])")
    }
}
