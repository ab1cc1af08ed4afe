/// Foreign files below one folder: on the disk or in an archive.
///
/// Their paths stay below that folder; their contents are not trusted.
public protocol PackTree {
    /// Its name: `cats` for `cats.wastickers`.
    var name: String { get }
    /// The sorted paths of everything but folders; parts are separated by `/`, and none is empty, `.` or `..`.
    var paths: [String] { get }

    /// The bytes of a file.
    ///
    /// - Parameters:
    ///   - path: one of `paths`.
    ///   - bytesMax: the limit.
    /// - Returns: all of them.
    /// - Throws: `ImportFault`: `.tooManyBytes`, `.notRegularFile` or `.unreadable`.
    func bytes(at path: String, atMost bytesMax: Int) throws(ImportFault) -> [UInt8]

    /// The first bytes of a file, whatever its size.
    ///
    /// - Parameters:
    ///   - count: how many bytes.
    ///   - path: one of `paths`.
    /// - Returns: the bytes; fewer if the file is shorter.
    /// - Throws: `ImportFault`: `.notRegularFile` or `.unreadable`.
    func firstBytes(_ count: Int, at path: String) throws(ImportFault) -> [UInt8]
}

enum TreePath {
    /// The folder of a path; empty at the top.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// The last part of a path.
    static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The last part without its extension.
    static func stem(of path: String) -> String {
        let name = name(of: path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// A path below a folder.
    static func join(_ folder: String, _ path: String) -> String {
        folder.isEmpty ? path : "\(folder)/\(path)"
    }

    /// Whether a path stays below its start.
    static func staysBelow(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return path.utf8.count <= 1024 && !path.contains("\\")
            && parts.allSatisfy { !["", ".", ".."].contains($0) }
    }
}
