import Glibc
import StickerSystem
import StickerTestSupport

@testable import StickerPackFiles

extension ArchiveLimits {
    /// Those of most tests.
    static let test = ArchiveLimits(
        entriesMax: 20, fileBytesMax: 2 << 20, totalBytesMax: 8 << 20)
}

/// Writes an archive and returns its bytes.
func archive(
    _ items: [ArchiveItem], _ format: ArchiveFormat
) throws(ArchiveError) -> [UInt8] {
    do {
        let memory = try Descriptor.memory("archive")
        try ArchiveWriter.write(items, as: format, to: memory, path: "archive")
        let size = try FileStatus(memory, path: "archive").size
        return try memory.firstBytes(Int(size), path: "archive")
    } catch let error as ArchiveError {
        throw error
    } catch {
        fatalError("\(error)")
    }
}

/// Reads an archive to its end, and what was handed over until an error.
func files(
    in bytes: [UInt8], _ limits: ArchiveLimits = .test
) throws -> (files: [ArchivedFile], error: ArchiveError?) {
    let memory = try Descriptor.memory("archive")
    try memory.writeAll(bytes, path: "archive")
    return files(in: memory, limits)
}

/// Reads an archive to its end, and what was handed over until an error.
func files(
    in file: consuming Descriptor, _ limits: ArchiveLimits = .test
) -> (files: [ArchivedFile], error: ArchiveError?) {
    var files: [ArchivedFile] = []
    do {
        var reader = try ArchiveReader(file, path: "archive", limits: limits)
        while let file = try reader.next() { files.append(file) }
        return (files, nil)
    } catch {
        return (files, error)
    }
}
