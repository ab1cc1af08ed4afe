import StickerHEIC
import StickerPipeline
import StickerWorkerMain

// HEIC, whose decoder needs threads.

WorkerMain.run(.heic, hasThreads: true)
