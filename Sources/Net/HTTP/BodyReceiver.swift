package import NIOCore

/// Takes the body of a request while it arrives, so that a large one is never in memory as a whole. It is let go with its
/// request, whether that was answered or not.
package protocol BodyReceiver: AnyObject, Sendable {
    /// Takes the next part. May block.
    ///
    /// - Throws: `WebError` if no more is wanted; the client gets that.
    func take(_ bytes: ByteBuffer) throws
}
