import CZlib
import Glibc
public import StickerSystem

/// A file to be written to an archive.
public struct ArchiveItem: Sendable {
    /// The source of its bytes.
    public enum Content: Sendable {
        /// These bytes.
        case bytes([UInt8])
        /// A regular file, opened for reading twice when it is its turn: its checksum precedes its bytes.
        case file(@Sendable () throws(FileError) -> Descriptor)
    }

    /// Its path in the archive; parts are separated by `/`.
    public var path: String
    /// The source of its bytes.
    public var content: Content

    /// Puts `content` at `path`.
    public init(_ path: String, _ content: Content) {
        self.path = path
        self.content = content
    }

    /// Puts the file at `source` on the disk at `path`; links are followed.
    public init(_ path: String, file source: String) {
        self.init(path, .file { () throws(FileError) in try Descriptor(source, O_RDONLY) })
    }
}

extension ArchiveItem {
    private static let partBytes = 64 * 1024

    /// Identifies the bytes of an item.
    struct Fingerprint: Hashable {
        var count = 0
        /// CRC-32 as in ZIP, ISO 3309.
        var crc: UInt32 = 0

        mutating func add(_ part: UnsafeRawBufferPointer) {
            count += part.count
            let bytes = part.assumingMemoryBound(to: UInt8.self).baseAddress
            // An empty buffer has no address, which zlib would take for a request to start again.
            if let bytes { crc = UInt32(crc32_z(UInt(crc), bytes, part.count)) }
        }
    }

    /// Reads everything once.
    func fingerprint() throws(ArchiveError) -> Fingerprint {
        var fingerprint = Fingerprint()
        try forEachPart { fingerprint.add($0) }
        return fingerprint
    }

    /// Calls `body` with all bytes, in parts.
    ///
    /// - Throws: `ArchiveError.Code.fileChanged` if they no longer match `fingerprint`.
    func forEachPart(
        of fingerprint: Fingerprint,
        _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        var seen = Fingerprint()
        try forEachPart { (part) throws(ArchiveError) in
            seen.add(part)
            if seen.count <= fingerprint.count { try body(part) }
        }
        guard seen == fingerprint else {
            throw ArchiveError(
                .fileChanged, entry: path, "the file changed while it was written to the archive",
                remedy: "try again once nobody writes to it")
        }
    }

    private func forEachPart(
        _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        switch content {
        case .bytes(let bytes):
            try bytes.withUnsafeBufferPointer { (bytes) throws(ArchiveError) in
                try body(UnsafeRawBufferPointer(bytes))
            }
        case .file(let open):
            let buffer = UnsafeMutableRawBufferPointer.allocate(
                byteCount: Self.partBytes, alignment: 1)
            defer { buffer.deallocate() }
            let file = try named { () throws(FileError) in try open() }
            while true {
                let count = try named { () throws(FileError) in
                    try file.read(into: buffer, path: path)
                }
                guard count > 0 else { return }
                try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    /// Runs `call`; adds the path of this item to its errors.
    func named<Result: ~Copyable>(
        _ call: () throws(FileError) -> Result
    ) throws(ArchiveError) -> Result {
        do throws(FileError) { return try call() } catch {
            throw ArchiveError(error, entry: path)
        }
    }
}
