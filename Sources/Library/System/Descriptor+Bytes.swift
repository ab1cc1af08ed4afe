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

    /// Writes all of `bytes`, continuing after short writes.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - path: the name of the file in errors.
    /// - Throws: `FileError`; a part may have been written.
    public func writeAll(_ bytes: UnsafeRawBufferPointer, path: String) throws(FileError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = try SystemCall.run("write", path) {
                write(raw, rest.baseAddress, rest.count)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    /// Reads the next bytes into `buffer`; read(2).
    ///
    /// - Parameters:
    ///   - buffer: receives the bytes.
    ///   - path: the name of the file in errors.
    /// - Returns: the number of bytes read, 0 at the end.
    /// - Throws: `FileError`.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer, path: String
    ) throws(FileError) -> Int {
        try SystemCall.run("read", path) { Glibc.read(raw, buffer.baseAddress, buffer.count) }
    }

    /// Seeks to the start of the file; lseek(2).
    ///
    /// - Throws: `FileError` with `path`, for example for a pipe.
    public func seekToStart(path: String) throws(FileError) {
        try SystemCall.run("lseek", path) { lseek(raw, 0, SEEK_SET) }
    }

    /// The first `count` bytes, or fewer if the file is shorter; the position in the file stays.
    ///
    /// - Throws: `FileError` with `path`.
    public func firstBytes(_ count: Int, path: String) throws(FileError) -> [UInt8] {
        try bytes(count, at: 0, path: path)
    }

    /// The `count` bytes at `offset`, or fewer if the file ends before; the position in the file stays: pread(2).
    ///
    /// - Parameters:
    ///   - count: the number of bytes.
    ///   - offset: their start, in bytes from the start of the file.
    ///   - path: the name of the file in errors.
    /// - Returns: the bytes.
    /// - Throws: `FileError`.
    public func bytes(_ count: Int, at offset: Int, path: String) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let length = try bytes.withUnsafeMutableBufferPointer { (bytes) throws(FileError) in
                try SystemCall.run("pread", path) {
                    pread(raw, bytes.baseAddress?.advanced(by: done), count - done, offset + done)
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
        try readParts(of: 16 * 1024, path: path) { bytes += $0 }
        return bytes
    }

    /// Calls `body` with everything from the position in the file to its end, in parts.
    ///
    /// - Parameters:
    ///   - size: the largest number of bytes in a part.
    ///   - path: the name of the file in errors.
    ///   - body: receives each part, which is valid only during the call.
    /// - Throws: `FileError`, including the errors of `body`.
    public func readParts(
        of size: Int, path: String,
        _ body: (UnsafeRawBufferPointer) throws(FileError) -> Void
    ) throws(FileError) {
        var part = [UInt8](repeating: 0, count: size)
        var count = 0
        repeat {
            count = try part.withUnsafeMutableBufferPointer { (part) throws(FileError) in
                let part = UnsafeMutableRawBufferPointer(part)
                let count = try read(into: part, path: path)
                try body(UnsafeRawBufferPointer(rebasing: part[..<count]))
                return count
            }
        } while count > 0
    }
}
