import StickerSystem

@testable import StickerPackFiles

/// Untrusted archives, from their first byte to the last file that comes out.
enum FuzzArchive {
    /// Small, so that many inputs are tested per second.
    private static let limits = ArchiveLimits(
        entriesMax: 64, fileBytesMax: 1 << 20, totalBytesMax: 4 << 20)

    static func read(_ bytes: UnsafeRawBufferPointer) {
        let memory: Descriptor
        do throws(FileError) {
            memory = try Descriptor.memory("archive")
            try memory.writeAll(Array(bytes), path: "archive")
        } catch {
            fatalError("\(error)")
        }
        var (paths, total) = (Set<String>(), 0)
        do throws(ArchiveError) {
            var reader = try ArchiveReader(memory, path: "archive", limits: limits)
            while let file = try reader.next() {
                total += file.bytes.count
                let isNew = paths.insert(file.path.uppercased().lowercased()).inserted
                precondition(isNew && isSafe(file.path), "\(file.path) is no place of its own")
                precondition(paths.count <= limits.entriesMax && total <= limits.totalBytesMax)
                precondition(file.bytes.count <= limits.fileBytesMax)
            }
        } catch {
            precondition(!error.detail.isEmpty && !error.remedy.isEmpty)
            precondition(error.cause == nil, "\(error)")
        }
    }

    private static func isSafe(_ path: String) -> Bool {
        path.utf8.count <= limits.pathBytesMax && !path.contains("\\")
            && path.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy { !["", ".", ".."].contains($0) }
            && path.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
