import FoundationEssentials
import Glibc
import StickerConfiguration
import StickerSystem
import StickerValues

/// The configuration of a report, as far as it can be read.
struct ReportSubject {
    private let loaded: Result<(file: ConfigurationFile, faults: [JSONFault]), ConfigurationError>

    init(_ shared: SharedOptions) {
        loaded = Result { () throws(ConfigurationError) in try shared.foldersOrFaults() }
    }

    /// The file and its faults.
    ///
    /// - Throws: `ReportGap` if there is none.
    func file() throws -> (file: ConfigurationFile, faults: [JSONFault]) {
        do {
            return try loaded.get()
        } catch {
            throw ReportGap(error.faults.map(\.description).joined(separator: "; "))
        }
    }

    /// The secrets to be removed from the report.
    var secrets: SecretText {
        let file = (try? loaded.get())?.file
        let text = file?.path.flatMap { try? Data(contentsOf: URL(filePath: $0)) }
        return SecretText(
            file?.configuration ?? Configuration(),
            file: String(decoding: text ?? Data(), as: UTF8.self))
    }

    /// Whether it is the library of uploads.
    var isOfUploads: Bool { (try? loaded.get())?.file.isOfUploads ?? false }

    /// Every key with its value in force; those other than the default are marked.
    func configurationLines() throws -> [String] {
        let (file, faults) = try file()
        let defaults = Configuration().shownSettings
        let settings = file.configuration.shownSettings
        let lines = settings.sorted { $0.key < $1.key }.map { key, value in
            "\(defaults[key] == value ? " " : "*") \(key) = \(value)"
        }
        return ["\(file.origin); * is not the default"]
            + faults.map { "FAULT \($0)" } + file.warnings.map { "warning \($0)" } + [""] + lines
    }

    // MARK: Folders

    /// The place, owner and free space of each folder.
    func folderLines() throws -> [String] {
        let configuration = try file().file.configuration
        let mounts = MountTable.current()
        var folders = configuration.drops.map { ("drop", $0.path) }
        folders += [
            ("out", configuration.out), ("state", configuration.state), ("run", configuration.run),
        ]
        folders += [
            ("problems", configuration.problemsFolder), ("uploads", configuration.personal.drop),
            ("private", configuration.personal.drop.map { _ in configuration.personal.private }),
        ].compactMap { role, path in path.map { (role, $0) } }
        return folders.flatMap { Self.lines(role: $0.0, $0.1, mounts) }
            + databaseLines(configuration.state)
    }

    private static func lines(role: String, _ path: String, _ mounts: MountTable) -> [String] {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return ["\(role.padded(to: 9))\(path): \(SystemCall.message(errno))"]
        }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        var parts = ["user \(status.st_uid)", "group \(status.st_gid)", "mode \(mode)"]
        if let mount = mounts.mount(of: SystemCall.realPath(path)) {
            parts.append("\(mount.kind)\(mount.isReadOnly ? ", read-only" : "")")
        }
        return ["\(role.padded(to: 9))\(path): \(parts.joined(separator: ", "))"]
            + entry("", room(at: path))
    }

    private static func room(at path: String) -> String {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return SystemCall.message(errno) }
        let size = Double(status.f_blocks) * Double(status.f_frsize)
        let free = (try? FreeSpace.bytes(at: path)).map { Int($0).asBytes } ?? "?"
        return "\(free) free of \(Int(clamping: Int64(min(size, 9e18))).asBytes), "
            + "\(UInt64(status.f_favail)) of \(UInt64(status.f_files)) inodes free"
    }

    private func databaseLines(_ state: String) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: state) else {
            return []
        }
        return names.sorted().compactMap { name in
            // Files that vanish meanwhile are not listed.
            guard let status = try? FileStatus(link: "\(state)/\(name)"), status.kind == .regular
            else { return nil }
            return "  \(state)/\(name): \(Int(status.size).grouped) B, changed "
                + Timestamp(milliseconds: Int64(status.mtimeSeconds) * 1000).asDate
        }
    }
}

/// Why a part of a report is missing.
struct ReportGap: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
