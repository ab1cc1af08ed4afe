import FoundationEssentials
import StickerCodecs
import StickerPipeline
import StickerRaster
import StickerValues
import StickerWorkers

/// Runs once what most pictures run, so that tables and types are set up before a process is copied.
enum WarmUp {
    /// Makes a sticker of a drawing of ours.
    static func run() {
        guard let text = try? WorkOrder.usual(), let order = try? WorkOrder(json: Data(text)),
            let picture = try? PNGEncoder.encode(drawing)
        else { return }
        let report = StickerPipeline(readers: .common)
            .make(SourceBytes(picture), recipe: order.recipe, limits: order.limits)
        _ = try? WorkReply(report, missingLayers: []).json()
    }

    /// A drawing that takes no longer than any other work here.
    private static var drawing: PixelBuffer {
        var pixels = PixelBuffer(size: PixelSize(width: 8, height: 8))
        for place in 2..<6 { pixels[place, place] = SIMD4(200, 100, 50, 255) }
        return pixels
    }
}
