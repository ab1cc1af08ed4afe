import Glibc
import StickerSystem

/// Whether there is room enough to let SQLite at a database.
///
/// It maps an index of its log, `-shm`, into memory, and reserves the room for it by one byte in each
/// page. Where the blocks of the file system are smaller than pages that is too little, and on a full
/// disk SIGBUS ends the process in the place of an error.
enum DatabaseRoom {
    /// The index of a log that is checkpointed in time, and some more.
    private static let neededBytes: Int64 = 256 * 1024

    /// - Throws: `StoreError` where opening the database at `path` may end the process.
    static func check(_ path: String, _ access: JobStore.Access) throws(StoreError) {
        // Where a daemon runs, the index is there and has its room.
        if access != .daemon, Glibc.access(path + "-shm", F_OK) == 0 { return }
        // Where the disk cannot be asked, opening the database tells what is wrong.
        guard let space = try? FreeSpace(at: SystemCall.parentFolder(of: path)),
            !isEnough(freeBytes: space.bytes, blockBytes: space.blockBytes)
        else { return }
        throw StoreError(.passing, "\(path): the disk is full; free some space")
    }

    static func isEnough(freeBytes: Int64, blockBytes: Int) -> Bool {
        freeBytes >= neededBytes || blockBytes >= Int(getpagesize())
    }
}
