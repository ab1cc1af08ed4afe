import StickerFormats
import StickerPipeline

extension PictureReaders {
    /// The formats of pictures in drawings. libavif and libtiff cost 6 ms of start time.
    static let embedded = PictureReaders.common.adding(.formats)
}
