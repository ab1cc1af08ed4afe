import Glibc
import StickerPacks
import StickerSystem
import StickerValues

extension ImportFault {
    /// A system call that failed on a file.
    init(_ error: FileError, _ path: String) {
        // Links are not followed; they count like a missing permission.
        if error.errno == ELOOP || error.errno == ENOTDIR {
            self = Self.notRegularFile(path)
        } else {
            self.init(
                .unreadable, path, "it cannot be read",
                measured: SystemCall.message(error.errno),
                limit: "a file that \(SystemCall.userName) may read",
                remedy: "try again once the cause is gone")
        }
    }

    init(_ error: ArchiveError, archive: String) {
        guard error.code != .notAnArchive else {
            self.init(
                .noPack, archive, "it is not an archive",
                limit: "a folder, .zip, .tar.gz or .wastickers",
                remedy: "name the folder in which it lies")
            return
        }
        self.init(
            Rule(rawValue: error.code.rawValue),
            [archive, error.entry].compactMap(\.self).joined(separator: ": "), error.detail,
            measured: error.measured, limit: error.limit, remedy: error.remedy)
    }

    /// A file without bytes of its own.
    static func notRegularFile(_ path: String) -> ImportFault {
        ImportFault(
            .notRegularFile, path, "it is a link, a folder, a device, a pipe or a socket",
            limit: "a regular file", remedy: "put the file itself there")
    }

    /// Refuses a file that is too large.
    static func check(
        _ bytes: Int, atMost bytesMax: Int, _ path: String
    ) throws(ImportFault) {
        guard bytes > bytesMax else { return }
        throw ImportFault(
            .tooManyBytes, path, "it is too large, by itself or with the files before it",
            measured: bytes.asBytes, limit: "\(max(0, bytesMax).asBytes) more",
            remedy: "make it smaller, or import the packs one by one")
    }
}
