import CLinux
import Glibc

/// A folder below another, reached without following links. Its path leads to this folder even if another one gets its
/// name meanwhile, as somebody may do who can write beside it.
package final class FixedFolder: Sendable {
    /// Below `/proc`; valid as long as this object lives.
    package let path: String
    private let descriptor: Descriptor

    /// Opens the folder at `relative`, the kernel's bytes; empty for `root` itself.
    ///
    /// - Throws: `FileError`; `ELOOP` or `ENOTDIR` if there is a link on the way.
    package init(_ relative: [UInt8], below root: String) throws(FileError) {
        let shown = "\(root)/\(String(decoding: relative, as: UTF8.self))"
        let flags = clinux_open_path_flag() | O_DIRECTORY
        descriptor = try Descriptor(folder: root).open(below: relative, flags, shown: shown)
        path = "/proc/self/fd/\(descriptor.raw)"
    }
}
