package import NIOCore

/// Receives the body of a request while it arrives, so that a large one is never in memory as a whole. Released with
/// its request, whether that was answered or not.
package protocol BodyReceiver: AnyObject, Sendable {
    /// Receives the next part. May block.
    ///
    /// - Throws: `WebError` if no more is accepted; it is sent to the client.
    func take(_ bytes: ByteBuffer) throws
}
