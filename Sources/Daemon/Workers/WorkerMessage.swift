/// The first byte of a message from a worker.
public enum WorkerMessage: UInt8 {
    /// The worker is locked, and reads the picture next.
    case begun = 0x42
    /// A step is done: its name follows.
    case step = 0x53
    /// The work is done: the reply and the finished files come as descriptors, the reply first.
    case reply = 0x52

    /// The longest message, in bytes.
    static let bytesMax = 128
    /// The most files of a sticker: itself, companion, poster, tray, thumbnails.
    static let filesMax = 16
    /// The largest reply, in bytes; a log has at most 96 entries of 400.
    static let replyBytesMax = 1 << 20
    /// A worker that sends more steps than this floods its owner.
    static let stepsMax = 1000
}
