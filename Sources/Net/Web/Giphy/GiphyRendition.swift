import StickerValues

/// A picture that clients of GIPHY request by name: https://developers.giphy.com/docs/api/schema.
///
/// They read some of these without checking that they exist. So each is the closest file, with its real size; a name is
/// left out only if there is no file of its kind. The targets `giphy` and `giphy_small` make files of exactly the 200
/// and 100 pixels in the names.
struct GiphyRendition: Hashable, Sendable {
    /// The meaning of a name.
    enum Wish: Hashable, Sendable {
        /// The original picture, unless it has more bytes.
        case original(bytesMax: Int)
        /// At least as many pixels on a side, and otherwise as few as possible.
        case sized(Int, Set<ImageFormat>, Side = .longer)
    }

    /// The side that the name refers to.
    enum Side: Sendable {
        case longer, width, height
    }

    let name: String
    let wish: Wish
    /// Whether it is a still even for a moving sticker.
    let isStill: Bool

    /// The served ones. MP4 has no transparency and is left out.
    static let all: [GiphyRendition] =
        [
            GiphyRendition("original", .original(bytesMax: .max)),
            GiphyRendition("original_still", .sized(480, any), isStill: true),
            GiphyRendition("480w_still", .sized(480, any, .width), isStill: true),
            GiphyRendition("downsized", .original(bytesMax: 2_000_000)),
            GiphyRendition("downsized_medium", .original(bytesMax: 5_000_000)),
            GiphyRendition("downsized_large", .original(bytesMax: 8_000_000)),
            GiphyRendition("downsized_still", .sized(480, any), isStill: true),
            GiphyRendition("preview_gif", .sized(100, [.png, .gif])),
            GiphyRendition("preview_webp", .sized(100, [.webp])),
        ]
        + fixed("fixed_height", .height) + fixed("fixed_width", .width)

    private static func fixed(_ name: String, _ side: Side) -> [GiphyRendition] {
        [
            GiphyRendition(name, .sized(200, any, side)),
            GiphyRendition("\(name)_still", .sized(200, any, side), isStill: true),
            GiphyRendition("\(name)_downsampled", .sized(200, any, side)),
            GiphyRendition("\(name)_small", .sized(100, any, side)),
            GiphyRendition("\(name)_small_still", .sized(100, any, side), isStill: true),
        ]
    }

    private static let any: Set<ImageFormat> = [.png, .gif, .webp]

    private init(_ name: String, _ wish: Wish, isStill: Bool = false) {
        (self.name, self.wish, self.isStill) = (name, wish, isStill)
    }

    /// The closest file; `nil` if there is none of its kind.
    func picture(of sticker: FoundSticker) -> FoundSticker.Picture? {
        switch wish {
        case .original(let bytesMax):
            return sticker.pictures.first.flatMap { $0.bytes <= bytesMax ? $0 : nil }
        case .sized(let pixels, let formats, let side):
            let moves = sticker.animated && !isStill
            let fit = sticker.pictures.filter { $0.moves == moves && formats.contains($0.format) }
            let large = fit.filter { $0.pixels(side) >= pixels }
            return large.min { $0.rank < $1.rank } ?? fit.max { $0.longer < $1.longer }
        }
    }
}

extension FoundSticker.Picture {
    /// Whether it shows more than one frame.
    fileprivate var moves: Bool { frames > 1 }

    fileprivate var longer: Int { max(width, height) }

    fileprivate func pixels(_ side: GiphyRendition.Side) -> Int {
        switch side {
        case .longer: longer
        case .width: width
        case .height: height
        }
    }

    /// Small ones first, but formats that every program shows before WebP.
    fileprivate var rank: (Int, Int, Int) { (format == .webp ? 1 : 0, longer, bytes) }

    /// The same as WebP.
    func webP(of sticker: FoundSticker) -> FoundSticker.Picture? {
        sticker.pictures.first {
            $0.format == .webp && $0.moves == moves && ($0.width, $0.height) == (width, height)
        }
    }
}
