import FoundationEssentials
import Glibc

/// A fresh folder that goes away, with all it holds, when the last reference to it does.
public final class TemporaryFolder: Sendable {
    /// A system call that failed.
    public struct Failure: Error, CustomStringConvertible {
        /// The failed call, and the system's message.
        public let description: String

        init(_ what: String, _ path: String) {
            description = "\(what) \(path): \(String(cString: strerror(errno)))"
        }
    }

    /// The absolute path, without a slash at the end.
    public let path: String

    /// Makes the folder below `parent`, which is `TMPDIR`, or `/tmp`, unless another one is named.
    public init(below parent: String? = nil) throws(Failure) {
        let parent = parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/stickerd-test.XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure("mkdtemp", parent) }
        path = String(cString: made)
    }

    deinit {
        // Files that cannot be removed stay behind; no test depends on it.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The absolute path of something in the folder.
    public func path(_ relative: String) -> String { "\(path)/\(relative)" }

    /// Makes a folder, and those above it where they are missing.
    ///
    /// - Returns: its absolute path.
    @discardableResult
    public func makeFolder(_ relative: String) throws(Failure) -> String {
        var folder = path
        for part in relative.split(separator: "/") {
            folder += "/\(part)"
            guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
                throw Failure("mkdir", folder)
            }
        }
        return folder
    }

    /// Writes a file, replacing what it held; folders above it are made.
    ///
    /// - Returns: its absolute path.
    @discardableResult
    public func write(_ bytes: [UInt8], to relative: String) throws(Failure) -> String {
        if let slash = relative.lastIndex(of: "/") {
            try makeFolder(String(relative[..<slash]))
        }
        try write(bytes, toName: Array(relative.utf8))
        return path(relative)
    }

    /// Writes a file of any name the kernel takes, whether it is text or not.
    public func write(_ bytes: [UInt8], toName name: [UInt8]) throws(Failure) {
        let target = Array(path.utf8) + [UInt8(ascii: "/")] + name
        let shown = String(decoding: target, as: UTF8.self)
        let descriptor = open((target + [0]).map(CChar.init(bitPattern:)), flags, 0o644)
        guard descriptor >= 0 else { throw Failure("open", shown) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { throw Failure("write", shown) }
            rest = rest.dropFirst(written)
        }
    }

    private var flags: Int32 { O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC }
}
