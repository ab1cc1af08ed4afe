import StickerCodecs
package import StickerPipeline
import StickerValues

extension PictureReaders {
    /// The format of `stickerd-worker-drawing`, whose texts have the fonts `fonts`.
    package static func svg(fonts: FontFolder?) -> PictureReaders {
        PictureReaders([
            .svg: { source, limits, _, _ throws(CodecError) in
                .still(try SVGDecoder(source, limits: limits, fonts: fonts))
            }
        ])
    }
}
