import CLinux
import Glibc
import StickerPacks
import StickerSystem
import StickerValues

/// Writes folders of categories into a drop: each completely or not at all, and never into an existing one.
struct CategoryWriter {
    /// The drop folder.
    let drop: String
    /// Called before every file; after `true` nothing of the folder stays.
    var isInterrupted: () -> Bool = { false }

    /// Writes a folder under a hidden name, which the daemon ignores, and renames it: words and pictures appear at the
    /// same moment.
    ///
    /// - Throws: `ImportFault`: `.categoryExists`, `.interrupted` or `.notWritten`; the drop is as before, unless the
    ///   disk failed at the very end.
    func write(_ folder: CategoryFolder) throws(ImportFault) {
        do {
            let drop = try Descriptor(drop, O_RDONLY | O_DIRECTORY)
            try refuseTwin(of: folder.name)
            try HiddenFolder.removeStale(in: drop, shown: self.drop)
            let hidden = try HiddenFolder(in: drop, shown: self.drop)
            do {
                for file in folder.files {
                    if isInterrupted() { throw ImportFault.interrupted(folder.name) }
                    try hidden.write(file)
                }
                try hidden.rename(to: folder.name, in: drop)
            } catch {
                hidden.remove(from: drop)
                throw error
            }
            // From here on it is visible, and is not removed any more.
            try SystemCall.syncFolder(self.drop)
        } catch let fault as ImportFault {
            throw fault
        } catch let error as FileError where error.errno == EEXIST {
            throw ImportFault.exists(folder.name, folder.name)
        } catch {
            throw ImportFault(
                .notWritten, folder.name, "the category could not be written: \(error)",
                remedy: "try again once the cause is gone")
        }
    }

    /// A folder whose name differs only in case is the same folder on many shares.
    private func refuseTwin(of name: String) throws {
        let listing = try FolderListing(drop)
        while let entry = try listing.next() {
            let other = FileName.display(entry.name)
            if FileNames.key(other) == FileNames.key(name) {
                throw ImportFault.exists(name, other)
            }
        }
    }
}

extension ImportFault {
    fileprivate static func exists(_ name: String, _ other: String) -> ImportFault {
        ImportFault(
            .categoryExists, name, "the drop has such a folder; nothing is mixed into it",
            measured: other, limit: "a name that is free",
            remedy: "move that folder away, or pass --category with another name for a single pack")
    }

    fileprivate static func interrupted(_ name: String) -> ImportFault {
        ImportFault(
            .interrupted, name, "ended before it was whole; nothing of it stays",
            remedy: "import it again")
    }
}
