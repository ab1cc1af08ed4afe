import StickerFormats
import StickerPipeline
import StickerWorkerMain

// TIFF and AVIF, whose libraries start no thread but take time to load.

WorkerMain.run(.formats)
