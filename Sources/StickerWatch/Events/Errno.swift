import Glibc

/// The error numbers of system calls, told apart once for the whole target.
enum Errno {
    /// The system's words for `number`. Corresponds to `strerror_r(3)`.
    static func message(_ number: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(number, start, buffer.count) == 0
            else {
                return "error \(number)"
            }
            return String(cString: start)
        }
    }

    /// The error of the last call, as it concerns a folder or an entry of one.
    ///
    /// `ELOOP` and `ENOTDIR` count as vanished: where a folder was there is now a link or a file.
    static func fault(_ what: String, _ number: Int32 = errno) -> WatchError {
        let code: WatchError.Code =
            switch number {
            case ENOENT, ENOTDIR, ELOOP: .vanished
            case EACCES, EPERM: .denied
            default: .system
            }
        return WatchError(code, systemError: number, detail: what)
    }

    /// Repeats `call` while a signal interrupts it.
    static func retrying(_ call: () -> CInt) -> CInt {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }

    /// Repeats `call` while a signal interrupts it, for calls that count bytes.
    static func retrying(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}
