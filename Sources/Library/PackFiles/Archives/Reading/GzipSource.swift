import CZlib
import StickerSystem
import StickerValues

/// Inflates a gzip file (RFC 1952), of one member or several. Owns a `z_stream`.
///
/// libarchive would do that, too, but without verifying the checksums; and here every byte is counted before use.
final class GzipSource {
    private static let partBytes = 64 * 1024

    /// The error of `nextPart`, for callbacks that cannot throw.
    private(set) var failure: ArchiveError?
    private let file: Descriptor
    private let path: String
    private let bytesMax: Int
    private var bytes = 0
    private var isBetweenMembers = false
    private var isAtEnd = false
    /// zlib keeps its address.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: partBytes, alignment: 1)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: partBytes, alignment: 1)

    /// - Parameters:
    ///   - file: read from its position on.
    ///   - path: the name of the archive in errors.
    ///   - bytesMax: the limit of the output.
    /// - Throws: `ArchiveError.Code.outOfMemory`.
    init(_ file: consuming Descriptor, path: String, bytesMax: Int) throws(ArchiveError) {
        self.file = file
        (self.path, self.bytesMax) = (path, bytesMax)
        stream.initialize(to: z_stream())
        let gzipOnly = MAX_WBITS + 16
        let status = inflateInit2_(
            stream, gzipOnly, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .outOfMemory }
    }

    deinit {
        inflateEnd(stream)  // does nothing to a stream without a state
        stream.deallocate()
        input.deallocate()
        output.deallocate()
    }

    /// The next bytes, valid until the next call; none at the end.
    ///
    /// - Throws: `ArchiveError.Code.damaged`, `.tooManyBytes`, `.outOfMemory` or `.system`.
    func nextPart() throws(ArchiveError) -> UnsafeRawBufferPointer {
        do throws(ArchiveError) {
            let part = try inflatePart()
            bytes += part.count
            guard bytes <= bytesMax else {
                throw ArchiveError(
                    .tooManyBytes, "it holds more bytes than all files may have",
                    measured: "more than \(bytesMax.asBytes)", limit: bytesMax.asBytes,
                    remedy: "divide the files among several archives")
            }
            return part
        } catch {
            failure = error
            throw error
        }
    }

    /// Inflates the rest, to verify the last checksum.
    func drain() throws(ArchiveError) {
        while try !nextPart().isEmpty {}
    }

    private func inflatePart() throws(ArchiveError) -> UnsafeRawBufferPointer {
        stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        while !isAtEnd, stream.pointee.avail_out > 0 {
            if stream.pointee.avail_in == 0, try !fill() { break }
            if isBetweenMembers {
                inflateReset(stream)
                isBetweenMembers = false
            }
            switch inflate(stream, Z_NO_FLUSH) {
            case Z_OK, Z_BUF_ERROR: continue
            case Z_STREAM_END: isBetweenMembers = true
            case Z_MEM_ERROR: throw .outOfMemory
            default: throw .damaged("its compressed bytes are damaged")
            }
        }
        let count = output.count - Int(stream.pointee.avail_out)
        return UnsafeRawBufferPointer(rebasing: output[..<count])
    }

    /// Reads more of the file; returns whether there was more.
    private func fill() throws(ArchiveError) -> Bool {
        do throws(FileError) {
            stream.pointee.avail_in = UInt32(try file.read(into: input, path: path))
        } catch {
            throw ArchiveError(error)
        }
        stream.pointee.next_in = input.assumingMemoryBound(to: UInt8.self).baseAddress
        if stream.pointee.avail_in > 0 { return true }
        guard isBetweenMembers else { throw .damaged("it ends too early") }
        isAtEnd = true
        return false
    }
}
