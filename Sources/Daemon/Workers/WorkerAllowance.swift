import StickerValues

/// The limits that the kernel enforces on one worker; passed as its command line, because the worker locks itself
/// before it reads a byte.
public struct WorkerAllowance: Hashable, Sendable {
    /// Changes with the format of orders and replies: both sides must be of the same release.
    static let protocolVersion = 1
    /// The memory of a worker and its libraries besides the picture.
    private static let processBytes = 256 << 20
    /// Address space of a worker for ordinary pictures: a still of 16 Mpx needs less than half of it.
    static let ordinaryBytes = 512 << 20
    /// The least address space of a worker that may use everything the limits allow.
    static let fullBytesMin = 1 << 30
    /// The largest file of a reply.
    static let fileBytesMax = 32 << 20

    /// Address space.
    public var memoryBytes: Int
    /// CPU time.
    public var cpuSeconds: Int
    /// The size of each file of the reply.
    public var fileBytes: Int
    /// Whether to work even if the kernel cannot confine the worker.
    public var isUnsandboxedAllowed: Bool
    /// The only folder that it may read, for `stickerd-worker-drawing` only: an absolute path.
    public var fontFolder: String?

    /// The allowance for a picture under `limits`; `isFull` if it may need all that they allow.
    init(
        _ limits: DecodeLimits, targets: [Target], isFull: Bool, isUnsandboxedAllowed: Bool
    ) {
        let needed = limits.decoderBytesMax + limits.sourceBytesMax + Self.processBytes
        let full = max(Self.fullBytesMin, needed)
        memoryBytes = isFull ? full : min(full, Self.ordinaryBytes)
        // The pipeline's own budget runs out first, with a clearer report.
        cpuSeconds = limits.cpuSecondsMax + 2
        let files = targets.flatMap { [$0.still?.bytesMax, $0.moving?.bytesMax] }
        fileBytes = max(Self.fileBytesMax, files.compactMap(\.self).max() ?? 0)
        self.isUnsandboxedAllowed = isUnsandboxedAllowed
    }

    /// The command line after the program's name.
    var arguments: [String] {
        [Self.protocolVersion, memoryBytes, cpuSeconds, fileBytes].map(String.init)
            + [isUnsandboxedAllowed ? "unsandboxed" : "sandboxed"] + (fontFolder.map { [$0] } ?? [])
    }

    /// Parses `arguments`; `nil` if they are of another release.
    public init?(arguments: [String]) {
        let numbers = arguments.prefix(4).compactMap { Int($0) }
        guard 5...6 ~= arguments.count, numbers.count == 4, numbers[0] == Self.protocolVersion,
            ["unsandboxed", "sandboxed"].contains(arguments[4])
        else { return nil }
        (memoryBytes, cpuSeconds, fileBytes) = (numbers[1], numbers[2], numbers[3])
        isUnsandboxedAllowed = arguments[4] == "unsandboxed"
        fontFolder = arguments.count == 6 ? arguments[5] : nil
    }
}

/// Exit codes of a worker that sends no reply; other codes are crashes.
public enum WorkerExit {
    /// The command line or the order is of another release.
    public static let otherRelease: Int32 = 64
    /// The system refused memory files, or a message.
    public static let lacking: Int32 = 71
    /// The kernel could not confine it.
    public static let unconfined: Int32 = 77
}

/// The open descriptors of a worker.
public enum WorkerDescriptor {
    /// The source, sealed.
    public static let source: Int32 = 0
    /// The order, sealed.
    public static let order: Int32 = 1
    /// Where its last words are written.
    public static let errors: Int32 = 2
    /// A pipe that closes when the worker's owner ends.
    public static let lifeline: Int32 = 3
    /// The socket for messages.
    public static let messages: Int32 = 4
    /// How many there are.
    public static let count: Int32 = 5
}
