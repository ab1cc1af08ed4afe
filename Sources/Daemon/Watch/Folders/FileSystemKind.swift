import CLinux

/// Whether the kernel reports every change of a file system.
///
/// Overlays count as local. Writes through the overlay itself, which are the only ones a container or its `docker cp`
/// can make, cause events as on any other file system; the kernel's documentation (filesystems/overlayfs) leaves
/// changes of the layers below a mounted overlay undefined. Polling for the sake of those would delay every container
/// by 10 s; a full rescan every `overlayRescanSecondsMax` catches them if they show at all.
enum FileSystemKind: Sendable {
    /// Every change causes an event.
    case local
    /// Changes through the mount cause events; changes of a layer below do not.
    case overlay
    /// Other hosts or programs change files without the kernel's knowledge.
    case remote

    /// The longest time between two full scans while a drop lies on an overlay.
    static let overlayRescanSecondsMax = 60.0

    /// Identifies the file system of an open folder, by `fstatfs(2)`.
    static func of(_ folder: CInt) -> FileSystemKind {
        var magic: UInt32 = 0
        guard clinux_filesystem_magic(folder, &magic) == 0 else { return .remote }
        return of(magic: magic)
    }

    /// Classifies the `f_type` of `statfs(2)`.
    static func of(magic: UInt32) -> FileSystemKind {
        if magic == CLINUX_MAGIC_OVERLAY { return .overlay }
        return remoteTypes.contains(magic) ? .remote : .local
    }

    private static let remoteTypes: Set<UInt32> = [
        CLINUX_MAGIC_NFS, CLINUX_MAGIC_SMB, CLINUX_MAGIC_CIFS, CLINUX_MAGIC_SMB2, CLINUX_MAGIC_FUSE,
        CLINUX_MAGIC_9P, CLINUX_MAGIC_CEPH, CLINUX_MAGIC_AFS, CLINUX_MAGIC_KAFS, CLINUX_MAGIC_CODA,
        CLINUX_MAGIC_NCP, CLINUX_MAGIC_OCFS2, CLINUX_MAGIC_GFS2, CLINUX_MAGIC_LUSTRE,
        CLINUX_MAGIC_GPFS, CLINUX_MAGIC_VBOXSF, CLINUX_MAGIC_VMHGFS, CLINUX_MAGIC_PRLFS,
        CLINUX_MAGIC_HOSTFS,
    ]
}
