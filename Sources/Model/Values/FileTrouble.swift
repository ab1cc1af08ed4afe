import FoundationEssentials
import Glibc

/// Why a file could not be read or written, for users; Foundation's wording is for programmers.
public struct FileTrouble: Error, CustomStringConvertible {
    /// The reason in the system's words, with a possible remedy.
    public let description: String
    /// Whether the same file may be readable a moment later: the disk or the system failed, and the name is not at
    /// fault.
    public let mayPass: Bool

    /// Describes an error from Foundation.
    public init(_ error: any Error) {
        guard let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code else {
            description = "\(error)"
            mayPass = false
            return
        }
        mayPass = ![.ENOENT, .EACCES, .EPERM, .EISDIR, .ENOTDIR, .ELOOP, .ENAMETOOLONG]
            .contains(code)
        let hint =
            switch code {
            case .ENOENT: "; is its name right?"
            case .EACCES, .EPERM: "; use sudo, or change its owner or mode"
            case .EISDIR: "; name a file in it"
            case .ENOSPC, .EDQUOT: "; free some space"
            default: ""
            }
        description = String(cString: strerror(code.rawValue)) + hint
    }
}
