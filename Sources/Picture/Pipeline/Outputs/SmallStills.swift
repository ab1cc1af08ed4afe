import StickerCodecs
import StickerRaster
import StickerValues

/// The small stills made from the finished canvas: thumbnails and the tray icon.
struct SmallStills {
    /// The largest PNG thumbnail is always made: any consumer can show it.
    static let alwaysMade = StickerSettings.Thumbnail(pixels: 144, format: .png)
    /// WhatsApp's size of a tray icon.
    static let tray = PixelSize(width: 96, height: 96)

    /// The level of lossless WebP: 7 % more bytes than level 3 for 38 % of its time.
    private static let webpLevel = 1

    let settings: StickerSettings
    let budget: WorkBudget
    /// The pixel art on the canvas; `nil` for anything else.
    var art: PixelArt?

    /// Every thumbnail of the settings and the tray icon, from one canvas or two.
    func make(thumbnailsOf canvas: Canvas, trayOf trayCanvas: Canvas) throws -> [MadeFile] {
        var files: [MadeFile] = []
        var wanted = settings.thumbnails
        if !wanted.contains(where: { $0.format == .png && $0.pixels >= Self.alwaysMade.pixels }) {
            wanted.append(Self.alwaysMade)
        }
        let tray = shrunk(trayCanvas.pixels, to: Self.tray)
        for thumbnail in wanted {
            let size = PixelSize(width: thumbnail.pixels, height: thumbnail.pixels)
            let small =
                size == Self.tray && canvas === trayCanvas
                ? tray.copy() : shrunk(canvas.pixels, to: size)
            files.append(try make(thumbnail, of: small))
        }
        files.append(try makeTray(tray))
        return files
    }

    /// The whole canvas centred in a square; for pixel art, a whole multiple if it fits.
    private func shrunk(_ canvas: borrowing PixelBuffer, to square: PixelSize) -> PixelBuffer {
        if let art, let factor = art.factor(inside: art.size.scaled(into: square)),
            let pixels = canvas.pixels(of: art)
        {
            return pixels.enlarged(factor).centered(on: square)
        }
        return canvas.resampled(to: canvas.size.scaled(into: square)).centered(on: square)
    }

    private func make(
        _ thumbnail: StickerSettings.Thumbnail, of small: borrowing PixelBuffer
    ) throws(CodecError) -> MadeFile {
        try budget.check(thumbnail.format)
        let bytes =
            thumbnail.format == .webp
            ? try WebPEncoder(small, budget: budget).lossless(level: Self.webpLevel)
            : try PNGEncoder.encode(small, isFast: true)
        return MadeFile(
            role: .thumbnail, format: thumbnail.format, size: small.size, bytes: bytes)
    }

    private func makeTray(_ tray: borrowing PixelBuffer) throws -> MadeFile {
        let bytes = try PNGEncoder.encode(tray)
        guard bytes.count <= settings.trayBytesMax * 99 / 100 else {
            throw Refusal(
                .willNotFit, "its tray icon is too large", measured: "\(bytes.count.grouped) B",
                limit: "99 % of \(settings.trayBytesMax.grouped) B (sticker.trayBytesMax)",
                remedy: "raise sticker.trayBytesMax, or drop a simpler picture")
        }
        return MadeFile(role: .tray, format: .png, size: Self.tray, bytes: bytes)
    }
}
