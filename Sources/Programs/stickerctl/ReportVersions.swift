import FoundationEssentials
import Glibc
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerValues
import StickerWorkers

/// The part of a report about the programs and their libraries.
struct ReportVersions {
    /// The daemon's last figures.
    let live: LiveFigures?

    var lines: [String] { own + ["", "Programs:"] + programs + packages + libraries }

    private var own: [String] {
        var lines = ["stickerctl \(Stickerd.version) in \(RunningProgram.folder)"]
        if let live {
            let other = live.version == Stickerd.version ? "" : ", which is ANOTHER VERSION"
            lines.append(
                "stickerd \(live.version)\(other), started last on \(live.startedAt.asDate)")
        }
        let release = ReportMachine.text(of: "/etc/os-release").split(separator: "\n")
            .first { $0.hasPrefix("PRETTY_NAME=") }
        var system = utsname()
        uname(&system)
        lines.append(release.map { String($0.dropFirst(12)) } ?? "no /etc/os-release")
        lines.append(
            [
                Self.text(system.sysname), Self.text(system.release), Self.text(system.version),
                Self.text(system.machine),
            ].joined(separator: " "))
        return lines
    }

    /// The programs of one build are side by side, or have the workers in `libexec`.
    private static var places: [String] {
        let folder = RunningProgram.folder
        let worker = (try? WorkerProgram.find()) ?? "\(folder)/stickerd-worker"
        return ["stickerd", "stickerctl", "stickerd-web", "stickerd-console", "stickerd-net"]
            .map { "\(folder)/\($0)" } + ["", "-formats", "-heic", "-drawing"].map { worker + $0 }
    }

    private var programs: [String] {
        Self.places.map { path in
            guard let status = try? FileStatus(path) else { return "  \(path): not there" }
            let changed = Timestamp(milliseconds: Int64(status.mtimeSeconds) * 1000).asDate
            return "  \(path): \(Int(status.size).grouped) B of \(changed)"
        }
    }

    private var packages: [String] {
        guard
            let output = ProgramOutput(
                "dpkg-query",
                [
                    "--show", "--showformat=  ${Package} ${Version} ${db:Status-Status}\\n",
                    "stickerd*",
                ]),
            output.code == 0
        else { return ["no package of stickerd is known here"] }
        return ["", "Packages:"] + output.text.split(separator: "\n").map(String.init)
    }

    // MARK: Libraries

    /// The libraries that the loader finds for the programs, with their packages. Versions in file names are those of
    /// interfaces, not of releases.
    private var libraries: [String] {
        let files = Set(Self.places.filter { access($0, X_OK) == 0 }.flatMap(Self.libraries))
        let packages = Self.packages(of: files)
        let groups = Dictionary(grouping: files) { packages[$0] ?? "of no package" }
        return ["", "Libraries that the programs load, by package:"]
            + groups.sorted { $0.key < $1.key }.map { package, files in
                "  \(package): \(files.map(Self.name).sorted().joined(separator: " "))"
            }
    }

    private static func name(of path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }

    /// The loader of the C library lists the libraries without starting the program.
    private static func libraries(of program: String) -> [String] {
        let output = ProgramOutput("env", ["LD_TRACE_LOADED_OBJECTS=1", program])
        return (output?.text ?? "").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ")
            guard let arrow = parts.firstIndex(of: "=>"), parts.indices.contains(arrow + 1) else {
                return nil
            }
            return parts[arrow + 1].hasPrefix("/")
                ? SystemCall.realPath(String(parts[arrow + 1]))
                : "\(parts[0].drop { $0 == "\t" }) MISSING"
        }
    }

    /// The package of each file, with its version, if dpkg knows one.
    private static func packages(of files: Set<String>) -> [String: String] {
        let names = files.filter { $0.hasPrefix("/") }.sorted()
        // Folders recorded by dpkg may be links by now: /lib is /usr/lib.
        let paths = names.flatMap { $0.hasPrefix("/usr/") ? [$0, String($0.dropFirst(4))] : [$0] }
        guard !names.isEmpty, let found = ProgramOutput("dpkg-query", ["--search"] + paths),
            let versions = ProgramOutput(
                "dpkg-query", ["--show", "--showformat=${binary:Package} ${Version}\\n"])
        else { return [:] }
        let known = Dictionary(
            versions.text.split(separator: "\n").map { line in
                let words = line.split(separator: " ")
                return (String(words.first ?? "").name, "\(words.last ?? "")")
            }, uniquingKeysWith: { $1 })
        var packages: [String: String] = [:]
        for line in found.text.split(separator: "\n").map(String.init) {
            // `libwebp7:amd64: /usr/lib/x86_64-linux-gnu/libwebp.so.7.1.5`
            let words: [Substring] = line.split(separator: " ")
            guard words.count == 2 else { continue }
            let package = String(words[0]).name
            packages[Self.name(of: String(words[1]))] = "\(package) \(known[package] ?? "?")"
        }
        var byPath: [String: String] = [:]
        for path in names { byPath[path] = packages[Self.name(of: path)] }
        return byPath
    }

    private static func text<Field>(_ field: Field) -> String {
        withUnsafeBytes(of: field) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

extension String {
    /// The name of a package without its architecture: `libwebp7:amd64`.
    fileprivate var name: String { String(prefix { $0 != ":" }) }
}
