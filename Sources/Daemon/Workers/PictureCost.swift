import StickerContainers
public import StickerValues

/// The estimated cost of a sticker, from the picture's headers.
public struct PictureCost: Sendable {
    /// The pixels of an ordinary still: 16-bit, interlaced and with alpha, it takes 8 bytes per pixel to decode.
    static let ordinaryPixels = 16_000_000
    /// The bytes of an ordinary file; files are mapped into the worker.
    static let ordinaryBytes = 24 << 20
    /// An ordinary picture decodes in less.
    static let ordinarySeconds = 1.5
    /// Frames of an ordinary animation. Each may take some 50 ms, so a long one takes 8 s and more; one
    /// of a few seconds is not worth a second start.
    static let ordinaryFrames = 150
    /// A small picture, or the frames of a small animation, decode in less.
    static let smallSeconds = 0.25
    static let smallFrames = 12

    private let bytes: Int
    private let isDrawn: Bool
    private let outline: PictureOutline?

    /// Reads the headers of `source`.
    public init(_ source: SourceBytes) {
        bytes = source.count
        isDrawn = Self.isDrawn(source)
        outline = PictureOutline.read(source)
    }

    /// Whether it may need more memory than a worker for ordinary pictures has.
    var needsMuchMemory: Bool {
        bytes > Self.ordinaryBytes || outline?.size.pixelCount ?? 0 > Self.ordinaryPixels
    }

    /// Whether `source` is a vector drawing.
    public static func isDrawn(_ source: SourceBytes) -> Bool {
        guard case .picture(.svg) = ImageFormat.sniff(source) else { return false }
        return true
    }

    /// How long it may keep others waiting; one beyond `limits` does not, because it is refused at once.
    public func foretold(within limits: DecodeLimits) -> ForetoldCost {
        if isDrawn { return .unknown }
        guard let outline, outline.isWithin(limits) else { return .small }
        let (frames, seconds) = (outline.frames, outline.decodingSeconds)
        if frames > Self.ordinaryFrames || seconds > Self.ordinarySeconds { return .long }
        return frames > Self.smallFrames || seconds > Self.smallSeconds ? .ordinary : .small
    }
}

extension PictureOutline {
    fileprivate func isWithin(_ limits: DecodeLimits) -> Bool {
        size.pixelCount <= limits.framePixelsMax && frames <= limits.framesMax
            && scans <= limits.jpegScansMax && workPixels / scans <= limits.totalPixelsMax
    }

    /// The time to decode on one core of a small server, measured with files of 48 million pixels: right within a
    /// factor of three, which is enough to choose a lane.
    fileprivate var decodingSeconds: Double { Double(workPixels) / pixelsPerSecond }

    private var pixelsPerSecond: Double {
        switch format {
        case .gif: 50e6
        case .jpeg: isArithmetic ? 40e6 : 150e6
        case .avif: 50e6
        case .heic: 20e6
        case .svg: 20e6
        default: isInterlacedOrProgressive ? 30e6 : 80e6
        }
    }
}
