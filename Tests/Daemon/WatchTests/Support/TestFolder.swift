import Glibc
import Testing

/// A folder of its own for one test; removed at the end. Paths are relative to it, and bytes.
final class TestFolder {
    let path: String

    /// A large folder, for thousands of files, lies in memory where it can: some disks take seconds
    /// to forget the files of the last test.
    init(isLarge: Bool = false) throws {
        let parent = isLarge && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/stickerd-watch-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        let real = try #require(realpath(made, nil))
        path = String(cString: real)
        free(real)
    }

    deinit {
        // The folder is the test's own; what cannot be removed is left to the system's cleaner.
        Self.remove(path.utf8.map { $0 })
    }

    /// Writes a file and closes it.
    func write(_ name: String, _ content: String = "x") throws {
        try write(Array(name.utf8), content)
    }

    func write(_ name: [UInt8], _ content: String = "x") throws {
        try writing(name, content) {}
    }

    /// Writes a file and calls `body` before it is closed.
    func writing(_ name: [UInt8], _ content: String, _ body: () throws -> Void) throws {
        let file = path(name, { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) })
        try #require(file >= 0, "cannot write \(String(decoding: name, as: UTF8.self))")
        defer { close(file) }
        let bytes = Array(content.utf8)
        try #require(Glibc.write(file, bytes, bytes.count) == bytes.count)
        try body()
    }

    func makeFolder(_ name: String) throws {
        try #require(path(name, { mkdir($0, 0o755) }) == 0 || errno == EEXIST)
    }

    /// Makes the folder and all above it.
    func makeFolders(_ name: String) throws {
        var made = ""
        for part in name.split(separator: "/") {
            made += (made.isEmpty ? "" : "/") + part
            try makeFolder(made)
        }
    }

    func move(_ from: String, _ to: String) throws {
        let result = path(from, { old in path(to, { new in rename(old, new) }) })
        try #require(result == 0)
    }

    func link(_ from: String, _ to: String) throws {
        let result = path(from, { old in path(to, { new in Glibc.link(old, new) }) })
        try #require(result == 0)
    }

    func symlink(to target: String, _ name: String) throws {
        try #require(path(name, { Glibc.symlink(target, $0) }) == 0)
    }

    func makeFIFO(_ name: String) throws {
        try #require(path(name, { mkfifo($0, 0o644) }) == 0)
    }

    func changeMode(_ name: String, _ mode: mode_t) throws {
        try #require(path(name, { chmod($0, mode) }) == 0)
    }

    /// Removes a file, or a folder with all below it.
    func remove(_ name: String) throws {
        try #require(Self.remove(Array("\(path)/\(name)".utf8)))
    }

    /// The same for one script line of `verb operand operand`.
    func run(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        switch words[0] {
        case "write": try write(words[1], words.count > 2 ? words[2] : "x")
        case "mkdir": try makeFolders(words[1])
        case "mv": try move(words[1], words[2])
        case "ln": try link(words[1], words[2])
        case "symlink": try symlink(to: words[1], words[2])
        case "mkfifo": try makeFIFO(words[1])
        case "rm": try remove(words[1])
        default: Issue.record("no such verb: \(line)")
        }
    }

    private func path(_ name: String, _ body: (UnsafePointer<CChar>) -> CInt) -> CInt {
        path(Array(name.utf8), body)
    }

    private func path(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> CInt) -> CInt {
        Self.withPath(Array("\(path)/".utf8) + name, body)
    }

    private static func withPath(
        _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> CInt
    ) -> CInt {
        (path + [0]).withUnsafeBytes { bytes in
            body(bytes.assumingMemoryBound(to: CChar.self).baseAddress.unsafelyUnwrapped)
        }
    }

    @discardableResult
    private static func remove(_ path: [UInt8]) -> Bool {
        if withPath(path, unlink) == 0 { return true }
        guard errno == EISDIR || errno == EPERM else { return false }
        for name in names(in: path) {
            remove(path + [UInt8(ascii: "/")] + name)
        }
        return withPath(path, rmdir) == 0
    }

    private static func names(in path: [UInt8]) -> [[UInt8]] {
        var names: [[UInt8]] = []
        _ = withPath(path) { start in
            guard let stream = opendir(start) else { return -1 }
            while let entry = readdir(stream) {
                let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
                let name = UnsafeRawPointer(entry).advanced(by: offset)
                let count = strlen(name.assumingMemoryBound(to: CChar.self))
                names.append(Array(UnsafeRawBufferPointer(start: name, count: count)))
            }
            return closedir(stream)
        }
        return names.filter { $0 != Array(".".utf8) && $0 != Array("..".utf8) }
    }
}
