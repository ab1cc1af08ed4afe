import Glibc
import StickerSystem

/// The right to be the only daemon on a state folder, held as long as the value lives.
///
/// flock(2) on `state/lock`: the kernel releases it with the process, however that ends.
public final class StateLock: Sendable {
    private let file: Descriptor

    private init(_ file: consuming Descriptor) { self.file = file }

    /// Takes the lock and writes this process's id into the file.
    ///
    /// - Parameter state: the state folder.
    /// - Returns: the lock.
    /// - Throws: `FolderError` if another process holds it, or the file cannot be created.
    public static func take(state: String) throws(FolderError) -> StateLock {
        let path = state + "/lock"
        try StateFolder.checkLink(state)
        do {
            // Anyone who may read the folder may read the holder.
            let file = try Descriptor(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o640)
            let raw = file.raw
            try SystemCall.run("fchmod", path) { fchmod(raw, 0o640) }
            if flock(file.raw, LOCK_EX | LOCK_NB) != 0 {
                guard errno == EWOULDBLOCK else {
                    throw FileError(call: "flock", path: path, errno: errno)
                }
                throw FolderError.inUse(state, by: holder(file))
            }
            try SystemCall.run("ftruncate", path) { ftruncate(file.raw, 0) }
            try file.writeAll(Array("\(getpid())\n".utf8), path: path)
            return StateLock(file)
        } catch let error as FolderError {
            throw error
        } catch {
            throw FolderError("\(error)")
        }
    }

    /// The id of the process that runs on this state folder; `nil` if there is none.
    ///
    /// - Parameter state: the state folder.
    /// - Returns: the id, or 0 if the holder has not written it yet.
    public static func holder(state: String) -> Int32? {
        // Without a file there is no holder; the process that takes the lock reports other errors.
        guard let file = try? Descriptor(state + "/lock", O_RDONLY | O_NOFOLLOW),
            flock(file.raw, LOCK_SH | LOCK_NB) != 0
        else { return nil }
        return holder(file)
    }

    private static func holder(_ file: borrowing Descriptor) -> Int32 {
        // A file that cannot be read counts as not written yet.
        let text = (try? file.firstBytes(20, path: "lock")) ?? []
        let digits = text.prefix { (0x30...0x39).contains($0) }
        return Int32(String(decoding: digits, as: UTF8.self)) ?? 0
    }
}

/// A folder that stickerd cannot work with.
public struct FolderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence that includes the fix.
    public let description: String

    init(_ description: String) { self.description = description }

    static func inUse(_ state: String, by process: Int32) -> FolderError {
        FolderError(
            "another stickerd (process \(process)) uses the state folder \(state); stop it first")
    }
}
