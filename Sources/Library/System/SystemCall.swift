import Glibc

/// Calls to the kernel: repeated if a signal interrupts them; errors are thrown with the path.
public enum SystemCall {
    /// The user name of this process: an operator may be another user than the daemon.
    public static var userName: String {
        guard let entry = getpwuid(geteuid()) else { return "user \(geteuid())" }
        return String(cString: entry.pointee.pw_name)
    }

    /// Runs `call` until it is not interrupted; throws if it returns -1.
    ///
    /// - Parameters:
    ///   - name: the system call, for the error.
    ///   - path: the path, for the error.
    ///   - call: makes the call and returns its result.
    /// - Returns: the result of `call`.
    /// - Throws: `FileError` with the `errno` of the call.
    @discardableResult
    public static func run(
        _ name: String, _ path: String, _ call: () -> Int32
    ) throws(FileError) -> Int32 {
        let result = retrying(call)
        guard result >= 0 else { throw FileError(call: name, path: path, errno: errno) }
        return result
    }

    /// The same for calls that count bytes.
    @discardableResult
    public static func run(
        _ name: String, _ path: String, _ call: () -> Int
    ) throws(FileError) -> Int {
        let result = retrying(call)
        guard result >= 0 else { throw FileError(call: name, path: path, errno: errno) }
        return result
    }

    /// Repeats `call` while a signal interrupts it; if it returns -1, `errno` has the reason.
    public static func retrying(_ call: () -> Int32) -> Int32 {
        Int32(retrying { Int(call()) })
    }

    /// The same for calls that count bytes.
    public static func retrying(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }

    /// The system's message for an error number. Corresponds to `strerror_r(3)`.
    public static func message(_ number: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(number, start, buffer.count) == 0
            else {
                return "error \(number)"
            }
            return String(cString: start)
        }
    }

    /// Lends `name` with the terminating zero that system calls expect; file names contain none.
    public static func withCName<Result>(
        _ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: name.count + 1) { buffer in
            UnsafeMutableRawBufferPointer(buffer).copyBytes(from: name)
            buffer[name.count] = 0
            return body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
        }
    }
}
