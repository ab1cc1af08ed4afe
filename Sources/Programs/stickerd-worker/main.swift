import StickerPipeline
import StickerWorkerMain

// The formats that most pictures have: PNG, JPEG, GIF, WebP and BMP.

WorkerMain.run(.common)
