import FoundationEssentials
import Glibc
import StickerConfinement
import StickerDrawing
import StickerPipeline
import StickerWorkerMain
import StickerWorkers

// Texts of marks and vector graphics, whose libraries need threads and fonts.

ConfinedProcess.run(hasThreads: true, readsFonts: true) { surroundings in
    let fonts = surroundings.fontFolder ?? ""
    // Pango also starts Fontconfig by itself, which would look for the fonts of the system.
    setenv("FONTCONFIG_FILE", "\(fonts)/fonts.conf", 1)
    // Orders for pictures lack texts.
    if let order = try? TextOrder(json: Data(SealedInput.bytes(WorkerDescriptor.order))) {
        return TextWork(order: order, fontFolder: fonts).run()
    }
    return PictureWork(readers: .svg(fonts: fonts), missingLayers: surroundings.missingLayers)
        .run()
}
