import StickerCodecs
import StickerRaster
import StickerValues

/// The result of a rival for one still.
struct StillResult {
    /// CPU time, one number for each round in which it made a file.
    var milliseconds: [Double] = []
    var bytes: Int?
    /// The score as in manifests, against stickerd's own canvas; `nil` if there is no sticker of 512x512.
    var score: Double?

    /// Adds a run; `judge` knows the canvas.
    mutating func add(_ run: Rival.Run, judge: PerceptualReference) {
        if let spent = run.milliseconds { milliseconds.append(spent) }
        bytes = run.file?.count ?? bytes
        guard score == nil, let file = run.file else { return }
        do {
            let picture = try WebPDecoder.still(file)
            guard picture.size == .sticker else { return }
            score = judge.score(of: picture)
        } catch {
            print("a rival's file cannot be decoded: \(error)")
        }
    }

    /// Whether a messenger would accept it.
    func isWithin(bytesMax: Int) -> Bool { score != nil && bytes ?? .max <= bytesMax }
}
