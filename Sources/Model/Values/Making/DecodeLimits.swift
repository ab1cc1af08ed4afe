/// Limits for an input file; all but time are checked before memory is allocated.
public struct DecodeLimits: Hashable, Sendable, Codable {
    /// Bytes of the file.
    public var sourceBytesMax = 64 * 1024 * 1024
    /// Either side of a picture.
    public var sidePixelsMax = 16384
    /// Width times height of one frame.
    public var framePixelsMax = 64_000_000
    /// Frames of an animation.
    public var framesMax = 1000
    /// Width times height times frames.
    public var totalPixelsMax = 512_000_000
    /// Scans of a progressive JPEG.
    public var jpegScansMax = 100
    /// Memory a decoder needs, computed from the header.
    public var decoderBytesMax = 384_000_000
    /// CPU time that one picture may take.
    public var cpuSecondsMax = 60

    /// Creates limits with the defaults.
    public init() {}
}
