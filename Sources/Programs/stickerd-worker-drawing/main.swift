import FoundationEssentials
import StickerDrawing
import StickerPipeline
import StickerWorkerMain
import StickerWorkers

// Texts of marks and vector graphics, whose libraries need threads and fonts.

ConfinedProcess.run(reading: FontFolder.read) { missingLayers, fonts in
    // Orders for pictures have no texts.
    if let order = try? TextOrder(json: Data(SealedInput.bytes(WorkerDescriptor.order))) {
        return TextWork(order: order, fonts: fonts).run()
    }
    return PictureWork(readers: .svg(fonts: try? fonts.get()), missingLayers: missingLayers).run()
}
