import StickerModel

/// Folders below the drops whose file system changed under them: a mount came or went.
///
/// What lay there before is hidden, not deleted, so nothing is concluded about such a folder and all
/// below it until the same device lies there again, or the program starts anew.
struct HiddenMounts: Sendable {
    private struct Path: Hashable {
        var drop: String
        var directory: [UInt8]
    }

    private var devices: [Path: UInt64] = [:]

    /// Notes which device lies under a path now, and which did when the folder was known before.
    mutating func note(
        drop: String, directory: [UInt8], device: UInt64, before known: UInt64?
    ) {
        let path = Path(drop: drop, directory: directory)
        if let known, known != device, devices[path] == nil { devices[path] = known }
        if devices[path] == device { devices[path] = nil }
    }

    /// Whether nothing may be concluded from what is missing in this folder.
    func cover(drop: String, directory: [UInt8]) -> Bool {
        devices.keys.contains { path in
            path.drop == drop && directory.starts(with: path.directory)
                && (directory.count == path.directory.count
                    || directory[path.directory.count] == UInt8(ascii: "/"))
        }
    }
}
