import StickerCodecs
import StickerValues

/// The result of a contender for one animation.
struct AnimationResult {
    /// The requirements of a messenger.
    static let rules = Recipe(settings: StickerSettings()).targets[0].moving ?? MovingRules()

    /// CPU time; `nil` if there is no file.
    let milliseconds: Double?
    let bytes: Int?
    let frames: Int?
    /// The playing time.
    let playsMilliseconds: Int?
    /// The mean score at ten points of the playing time, against stickerd's own canvases; `nil` if there is no sticker
    /// of 512x512.
    let score: Double?
    /// Why a messenger would not accept it; empty if it would.
    let faults: [String]

    /// Judges the result of a run.
    init(_ run: Rival.Run, canvases: Playback) {
        milliseconds = run.milliseconds
        bytes = run.file?.count
        // A file that cannot be decoded counts as missing.
        let played = run.file.flatMap { try? Playback($0) }
        frames = played?.frameCount
        playsMilliseconds = played?.milliseconds
        score = played.flatMap(canvases.score)
        faults = played.map { Self.faults(of: $0, bytes: run.file?.count ?? 0) } ?? ["no file"]
    }

    private static func faults(of played: Playback, bytes: Int) -> [String] {
        guard played.frameCount > 1 else { return ["not animated"] }
        var faults: [String] = []
        if played.size != .sticker { faults.append("not 512x512") }
        if bytes > rules.bytesMax { faults.append("over \(rules.bytesMax / 1000) KB") }
        if played.milliseconds > rules.millisecondsMax {
            faults.append("longer than \(rules.millisecondsMax / 1000) s")
        }
        if played.shortestMilliseconds < rules.frameMillisecondsMin {
            faults.append("frames under \(rules.frameMillisecondsMin) ms")
        }
        return faults
    }
}
