import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues

extension TestWebP {
    /// A frame of half-transparent art, coded without loss or with it.
    static func frame(_ width: Int, _ height: Int, lossy: Bool = false, alpha: UInt8 = 128) throws
        -> Frame
    {
        let encoder = WebPEncoder(.gradient(width, height, alpha: alpha))
        let file = lossy ? try encoder.lossy(quality: 50) : try encoder.lossless(level: 0)
        return Frame(size: PixelSize(width: width, height: height), chunks: picture(of: file))
    }
}
