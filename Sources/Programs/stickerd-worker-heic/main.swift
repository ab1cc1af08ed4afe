import StickerHEIC
import StickerPipeline
import StickerWorkerMain

// HEIC, whose decoder needs threads, and is loaded while files can still be opened.

HEICDecoder.load()
WorkerMain.run(.heic, hasThreads: true)
