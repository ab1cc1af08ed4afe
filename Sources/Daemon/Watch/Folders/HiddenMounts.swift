import StickerValues

/// Folders below the drops whose file system changed: a mount appeared or disappeared.
///
/// Earlier contents are hidden, not deleted, so nothing is concluded about such a folder and everything below it until
/// the same device is back or the program restarts.
struct HiddenMounts: Sendable {
    private struct Path: Hashable {
        var drop: String
        var directory: [UInt8]
    }

    private var devices: [Path: UInt64] = [:]

    /// Records the device under a path now, and the one when the folder was known before.
    mutating func note(
        drop: String, directory: [UInt8], device: UInt64, before known: UInt64?
    ) {
        let path = Path(drop: drop, directory: directory)
        if let known, known != device, devices[path] == nil { devices[path] = known }
        if devices[path] == device { devices[path] = nil }
    }

    /// Whether nothing may be concluded from files missing in this folder.
    func cover(drop: String, directory: [UInt8]) -> Bool {
        devices.keys.contains { path in
            path.drop == drop && directory.starts(with: path.directory)
                && (directory.count == path.directory.count
                    || directory[path.directory.count] == UInt8(ascii: "/"))
        }
    }
}
