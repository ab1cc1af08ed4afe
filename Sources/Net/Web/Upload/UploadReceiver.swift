import Glibc
import NIOCore
import StickerContainers
import StickerHTTP
import StickerSystem
import StickerValues
import Synchronization

/// Writes an upload into the user's folder under a hidden name, and renames it when it is complete.
final class UploadReceiver: Sendable {
    /// The first bytes, which show the type of a picture.
    private static let headBytes = 1024

    private struct State {
        var head: [UInt8] = []
        var count = 0
    }

    let user: String
    private let folder: String
    private let bytesMax: Int
    private let file: PendingFile
    private let state = Mutex(State())
    private let onEnd: @Sendable () -> Void

    /// - Parameters:
    ///   - user: the user.
    ///   - folder: the user's folder, created if missing.
    ///   - bytesMax: the largest upload.
    ///   - onEnd: called when the request has ended in any way.
    /// - Throws: `FileError` if nothing can be written there.
    init(
        user: String, folder: String, bytesMax: Int, onEnd: @escaping @Sendable () -> Void
    ) throws(FileError) {
        (self.user, self.folder, self.bytesMax, self.onEnd) = (user, folder, bytesMax, onEnd)
        // Its permissions come from the parent folder and the umask: the daemon reads it.
        do throws(FileError) {
            if mkdir(folder, 0o770) == 0 {
                try SystemCall.syncFolder(SystemCall.parentFolder(of: folder))
            } else if errno != EEXIST {
                throw FileError(call: "mkdir", path: folder, errno: errno)
            }
            file = try PendingFile(for: "\(folder)/upload", mode: 0o660)
        } catch {
            onEnd()
            throw error
        }
    }

    deinit { onEnd() }

    /// Receives the next part. May block.
    ///
    /// - Throws: `WebError` if no more is accepted.
    func take(_ bytes: ByteBuffer) throws {
        let count = state.withLock { state in
            state.count += bytes.readableBytes
            state.head += bytes.readableBytesView.prefix(Self.headBytes - state.head.count)
            return state.count
        }
        guard count <= bytesMax else { throw Self.tooMuch(bytesMax) }
        do {
            try bytes.withUnsafeReadableBytes { try file.append($0) }
        } catch let error as FileError {
            throw Self.refusal(error)
        }
    }

    /// Puts the upload in place.
    ///
    /// - Returns: the name of its file.
    /// - Throws: `WebError` if it is no picture, or cannot be stored.
    func put() throws -> String {
        let (head, count) = state.withLock { ($0.head, $0.count) }
        guard count > 0 else {
            throw WebError(
                status: 400, message: "there is nothing in it",
                remedy: "send the bytes of the picture as the body of the request")
        }
        guard case .picture(let format) = ImageFormat.sniff(SourceBytes(head)) else {
            throw WebError(
                status: 415, message: "that is not a readable picture",
                remedy: "send \(ImageFormat.namesOfAll)")
        }
        let name = UploadFolder.name(format)
        do throws(FileError) {
            try file.sync()
            try file.putInPlace(as: "\(folder)/\(name)")
            try SystemCall.syncFolder(folder)
        } catch {
            throw Self.refusal(error)
        }
        return name
    }

    /// A form was sent, as browsers and `curl -F` do.
    static let isForm = WebError(
        status: 415, message: "that is a form, not a picture",
        remedy: "send the bytes of the picture as the body of the request")

    /// An upload has too many bytes.
    static func tooMuch(_ limit: Int) -> WebError {
        WebError(
            status: 413, message: "the picture is too large",
            remedy: "send at most \(limit.grouped) B", details: [("limit", "\(limit)")])
    }

    /// An upload cannot be stored. The cause is not revealed to clients.
    static func refusal(_ error: FileError) -> WebError {
        guard [ENOSPC, EDQUOT].contains(error.errno) else {
            return WebError(
                status: 503, message: "uploads cannot be kept now",
                remedy: "try again in a minute", headers: [("Retry-After", "60")])
        }
        return WebError(
            status: 507, message: "there is no room for uploads",
            remedy: "try again later", headers: [("Retry-After", "600")])
    }
}
