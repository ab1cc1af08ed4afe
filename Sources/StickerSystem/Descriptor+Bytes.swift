import Glibc

extension Descriptor {
    /// Writes all of `bytes`, continuing after short writes.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - path: the name of the file in errors.
    /// - Throws: `FileError`; a part may have been written.
    public func writeAll(_ bytes: [UInt8], path: String) throws(FileError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(FileError) in
            try writeAll(UnsafeRawBufferPointer(bytes), path: path)
        }
    }

    private func writeAll(_ bytes: UnsafeRawBufferPointer, path: String) throws(FileError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = try SystemCall.run("write", path) {
                write(raw, rest.baseAddress, rest.count)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    /// Reads what comes next into `buffer`; read(2).
    ///
    /// - Parameters:
    ///   - buffer: receives the bytes.
    ///   - path: the name of the file in errors.
    /// - Returns: how many bytes were read, 0 at the end.
    /// - Throws: `FileError`.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer, path: String
    ) throws(FileError) -> Int {
        try SystemCall.run("read", path) { Glibc.read(raw, buffer.baseAddress, buffer.count) }
    }

    /// The first `count` bytes, fewer if the file is shorter; uses pread(2), so that the position in the
    /// file stays.
    ///
    /// - Throws: `FileError` with `path`.
    public func firstBytes(_ count: Int, path: String) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let length = try bytes.withUnsafeMutableBufferPointer { (bytes) throws(FileError) in
                try SystemCall.run("pread", path) {
                    pread(raw, bytes.baseAddress?.advanced(by: done), count - done, off_t(done))
                }
            }
            guard length > 0 else { break }
            done += length
        }
        bytes.removeLast(count - done)
        return bytes
    }

    /// Everything from the position in the file to its end.
    ///
    /// - Throws: `FileError` with `path`.
    public func readToEnd(path: String) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = try part.withUnsafeMutableBufferPointer { (part) throws(FileError) in
                try read(into: UnsafeMutableRawBufferPointer(part), path: path)
            }
            guard count > 0 else { return bytes }
            bytes += part[..<count]
        }
    }
}
