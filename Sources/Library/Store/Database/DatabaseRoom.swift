import Glibc
import StickerSystem

/// Whether there is enough room for SQLite to open a database.
///
/// SQLite maps an index of its log, `-shm`, into memory and reserves room for it by writing one byte to each page. If
/// the blocks of the file system are smaller than pages, that is too little: on a full disk, SIGBUS kills the process.
enum DatabaseRoom {
    /// The index of a log that is checkpointed in time, plus some reserve.
    private static let neededBytes: Int64 = 256 * 1024

    /// - Throws: `StoreError` if opening the database at `path` could kill the process.
    static func check(_ path: String, _ access: StoreAccess) throws(StoreError) {
        // While a daemon runs, the index exists and has its room.
        if access != .daemon, Glibc.access(path + "-shm", F_OK) == 0 { return }
        // If the disk cannot be queried, opening the database reports the error.
        guard let space = try? FreeSpace(at: SystemCall.parentFolder(of: path)),
            !isEnough(freeBytes: space.bytes, blockBytes: space.blockBytes)
        else { return }
        throw StoreError(.passing, "\(path): the disk is full; free some space")
    }

    static func isEnough(freeBytes: Int64, blockBytes: Int) -> Bool {
        freeBytes >= neededBytes || blockBytes >= Int(getpagesize())
    }
}
