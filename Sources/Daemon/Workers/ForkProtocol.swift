/// The conversation of a fork server with its owner, in messages of a socket.
///
/// A request is the command line of a worker, its words separated by NUL, with the worker's descriptors. The answer is the
/// number of its process, or of an error, negative.
public enum ForkProtocol {
    /// The command line of a server, after the program's name.
    static let arguments = ["fork-server", String(WorkerAllowance.protocolVersion)]
    /// Where its socket is.
    public static let socket: Int32 = 0
    /// Its first message.
    public static let ready: Int32 = 0
    /// The longest request, in bytes.
    public static let requestBytesMax = 4096

    /// Whether a program with these arguments is to be a server.
    public static func asksForServer(_ arguments: [String]) -> Bool { arguments == Self.arguments }
}
