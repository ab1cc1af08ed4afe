import StickerCodecs
package import StickerPipeline
import StickerValues

extension PictureReaders {
    /// The format of `stickerd-worker-heic`.
    package static let heic = PictureReaders([
        .heic: { source, limits, _, _ throws(CodecError) in
            .still(try HEICDecoder(source, limits: limits))
        }
    ])
}
