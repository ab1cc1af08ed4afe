import Glibc
public import StickerPacks
import StickerSystem
import StickerValues

/// Some of the published pictures as a tree for imports.
public struct PublishedFiles: PackTree {
    /// The published folder.
    public let name: String
    /// The pictures, below it.
    public let paths: [String]

    /// Creates a view of pictures below `out`.
    ///
    /// - Parameters:
    ///   - out: the published folder.
    ///   - pictures: the pictures.
    public init(out: String, _ pictures: [PublishedPicture]) {
        (name, paths) = (out, Set(pictures.map(\.path)).sorted())
    }

    /// The bytes of a picture; see `PackTree`.
    ///
    /// - Parameters:
    ///   - path: one of `paths`.
    ///   - bytesMax: the limit.
    /// - Returns: all of them.
    /// - Throws: `ImportFault`.
    public func bytes(at path: String, atMost bytesMax: Int) throws(ImportFault) -> [UInt8] {
        let bytes = try firstBytes(bytesMax + 1, at: path)
        guard bytes.count > bytesMax else { return bytes }
        throw ImportFault(
            .tooManyBytes, path, "it is too large", measured: "more than \(bytesMax.asBytes)",
            limit: bytesMax.asBytes, remedy: "remove it")
    }

    /// The first bytes of a picture; see `PackTree`.
    ///
    /// - Parameters:
    ///   - count: the number of bytes.
    ///   - path: one of `paths`.
    /// - Returns: the bytes; fewer if the file is shorter.
    /// - Throws: `ImportFault`.
    public func firstBytes(_ count: Int, at path: String) throws(ImportFault) -> [UInt8] {
        do throws(FileError) {
            let file = try Descriptor(plain: "\(name)/\(path)")
            let size = Int(clamping: try FileStatus(file, path: path).size)
            return try file.firstBytes(min(count, size), path: path)
        } catch {
            throw ImportFault(
                .unreadable, path, "it cannot be read", measured: SystemCall.message(error.errno),
                limit: "a regular file", remedy: "remove it")
        }
    }
}
