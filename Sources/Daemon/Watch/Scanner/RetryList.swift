import StickerValues

/// Folders with a failure, each with the number of beats until its retry: 1, 2, 4, ... 32.
struct RetryList {
    private struct Entry {
        var failures = 1
        var beatsLeft: Int? = 1
    }

    /// The time between two beats.
    static let beatSeconds = 2.0
    private static let beat = Duration.seconds(beatSeconds)
    private static let backoff = Backoff(first: beat, longest: beat * 32)
    private var entries: [FolderID: Entry] = [:]

    /// Adds a folder; its wait doubles with each failure.
    mutating func insert(_ folder: FolderID) {
        guard var entry = entries[folder] else { return entries[folder] = Entry() }
        guard entry.beatsLeft == nil else { return }  // already waiting
        entry.failures += 1
        entry.beatsLeft = Int(Self.backoff.delay(afterFailures: entry.failures) / Self.beat)
        entries[folder] = entry
    }

    /// Forgets a folder, because it succeeded or no longer exists.
    mutating func remove(_ folder: FolderID) {
        entries[folder] = nil
    }

    /// Counts one beat; returns the folders to be retried.
    mutating func due() -> [FolderID] {
        var due: [FolderID] = []
        for (folder, entry) in entries {
            guard let beatsLeft = entry.beatsLeft else { continue }
            entries[folder]?.beatsLeft = beatsLeft > 1 ? beatsLeft - 1 : nil
            if beatsLeft == 1 { due.append(folder) }
        }
        return due
    }
}
