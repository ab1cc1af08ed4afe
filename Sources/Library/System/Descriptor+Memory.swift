import CLinux
import Glibc

/// Memory with a descriptor, which the kernel can seal against every change.
extension Descriptor {
    /// Creates anonymous memory of 0 bytes; memfd_create(2).
    ///
    /// - Parameter name: its name in the system and in errors.
    /// - Returns: its only descriptor.
    /// - Throws: `FileError` if the system lacks descriptors or memory.
    public static func memory(_ name: String) throws(FileError) -> Descriptor {
        Descriptor(
            adopting: try SystemCall.run("memfd_create", name) { clinux_memory_file(name) })
    }

    /// Forbids all changes; the memory must not be mapped for writing.
    ///
    /// - Throws: `FileError` with `name`.
    public func seal(_ name: String) throws(FileError) {
        try SystemCall.run("fcntl", name) { clinux_seal(raw) }
    }

    /// Whether it is sealed. Hardened kernels add a seal of their own.
    public var isSealed: Bool {
        let (seals, wanted) = (clinux_seals(raw), clinux_all_seals())
        return seals >= 0 && seals & wanted == wanted
    }
}
