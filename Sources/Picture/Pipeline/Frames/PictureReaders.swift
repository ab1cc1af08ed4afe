public import StickerCodecs
package import StickerRaster
public import StickerValues

/// A recognised picture within the limits, not decoded yet.
public enum OpenedPicture {
    /// A still picture.
    case still(any StillDecoding)
    /// A picture that moves, or may move.
    case animation(any AnimationDecoding)

    /// Known before decoding.
    package var header: ImageHeader {
        switch self {
        case .still(let decoder): decoder.header
        case .animation(let decoder): decoder.header
        }
    }
}

/// The decoders of a program, by format. Each worker program links only its own libraries, which cost start time.
public struct PictureReaders: Sendable {
    /// Opens a picture; `asStill` for only the picture shown where nothing moves. With accepted damage, the readable
    /// part is enough.
    ///
    /// - Throws: `CodecError` if it breaks the format or the limits.
    public typealias Opening =
        @Sendable (
            _ source: SourceBytes, _ limits: DecodeLimits, _ asStill: Bool,
            _ damage: AcceptedDamage?
        ) throws(CodecError) -> OpenedPicture

    private let openings: [ImageFormat: Opening]

    /// Creates a set of decoders.
    public init(_ openings: [ImageFormat: Opening]) { self.openings = openings }

    /// The formats that this program reads.
    package var formats: Set<ImageFormat> { Set(openings.keys) }

    /// The opening of pictures of `format`; `nil` if this program does not support it.
    package subscript(format: ImageFormat) -> Opening? { openings[format] }

    /// These and those of `other`.
    public func adding(_ other: PictureReaders) -> PictureReaders {
        PictureReaders(openings.merging(other.openings) { _, added in added })
    }

    /// The formats of `stickerd-worker`.
    public static let common = PictureReaders([
        .png: { source, limits, asStill, damage throws(CodecError) in
            let frames = APNGDecoder.promisedFrames(source) ?? 0
            return frames == 1 || frames > 1 && !asStill
                ? .animation(try APNGDecoder(source, limits: limits))
                : .still(try PNGDecoder(source, limits: limits, isDamaged: damage != nil))
        },
        .jpeg: { source, limits, _, damage throws(CodecError) in
            .still(try JPEGDecoder(source, limits: limits, accepting: damage))
        },
        .gif: { source, limits, _, damage throws(CodecError) in
            .animation(try GIFDecoder(source, limits: limits, accepting: damage))
        },
        .webp: { source, limits, _, _ throws(CodecError) in
            WebPStillDecoder.isAnimated(source)
                ? .animation(try WebPMovingDecoder(source, limits: limits))
                : .still(try WebPStillDecoder(source, limits: limits))
        },
        .bmp: { source, limits, _, _ throws(CodecError) in
            .still(try BMPDecoder(source, limits: limits))
        },
    ])
}
