import StickerCodecs
package import StickerPipeline
import StickerValues

extension PictureReaders {
    /// The formats of `stickerd-worker-formats`.
    package static let formats = PictureReaders([
        .tiff: { source, limits, _, _ throws(CodecError) in
            .still(try TIFFDecoder(source, limits: limits))
        },
        .avif: { source, limits, _, _ throws(CodecError) in
            let file = try AVIFFile(source, limits: limits)
            return file.frameCount > 1
                ? .animation(try AVIFMovingDecoder(file)) : .still(AVIFStillDecoder(file))
        },
    ])
}
