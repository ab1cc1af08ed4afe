import CLinux
import Glibc

/// Names the file that a thread reads: files may be hostile, and if one of them crashes the process, the next process
/// has to know which.
public enum Reading: Hashable, Sendable {
    /// The file of the job with this number.
    case job(Int64)
    /// The source of the output with this number.
    case output(Int64)
    /// A file without a number, by its mark, of which the lowest 61 bits count.
    case file(Int64)

    /// While `body` runs, a deadly signal that the calling thread raises itself is noted with this reading, after
    /// `noteCrashes`.
    public func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        let before = clinux_note_reading(rawValue)
        defer { _ = clinux_note_reading(before) }
        return try body()
    }

    /// From now on notes at `offset` of a file the reading of a thread that crashes, as the 8 bytes of its raw value.
    ///
    /// - Returns: an errno; 0 on success.
    public static func noteCrashes(in file: borrowing Descriptor, at offset: Int) -> Int32 {
        clinux_note_crashes(file.raw, off_t(offset))
    }
}

extension Reading: RawRepresentable {
    private static let markMask = Int64.max >> 2

    /// Never 0.
    public var rawValue: Int64 {
        switch self {
        case .job(let number): number
        case .output(let number): -number
        case .file(let mark): .min | mark & Self.markMask
        }
    }

    /// Decodes a raw value; `nil` for 0.
    public init?(rawValue: Int64) {
        switch rawValue {
        case 1...: self = .job(rawValue)
        case (.min + Self.markMask + 1)...(-1): self = .output(-rawValue)
        case 0: return nil
        default: self = .file(rawValue & Self.markMask)
        }
    }
}
