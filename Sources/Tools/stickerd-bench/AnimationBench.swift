import StickerCodecs
import StickerValues

/// One round over a set of animations; all contenders take turns on each. Each takes seconds, so one round is enough.
struct AnimationBench {
    /// One animation and the results of all contenders.
    struct Entry {
        let path: String
        /// The number of canvases: frames of the source that differ from the previous one.
        let frames: Int
        let encoding: Encoding?
        let own: AnimationResult
        /// Rivals by name.
        let rivals: [String: AnimationResult]
        var peakMegabytes: Double?
    }

    /// The time limit of a rival for one animation.
    private static let millisecondsMax = 300_000

    private(set) var entries: [Entry] = []
    private var paths: [String] = []
    private let contenders: [Contender]

    /// The contenders, in the order of their turns.
    var names: [String] { contenders.map(\.name) }

    init(rivals: [Rival]) {
        contenders = rivals.map { Contender($0, millisecondsMax: Self.millisecondsMax) }
    }

    /// Adds an animation that is not refused.
    mutating func add(_ path: String) { paths.append(path) }

    /// Makes each animation once, next to the rivals, and compares all with stickerd's canvases.
    mutating func run() throws {
        for path in paths {
            let trial = try Trial(path: path)
            let runs = contenders.map { ($0.name, $0.run(path)) }
            guard let exact = try Trial(exactly: path).file else {
                print("\(path): left out, its canvases cannot be kept without loss")
                continue
            }
            let canvases = try Playback(exact)
            let own = Rival.Run(milliseconds: trial.webp, file: trial.file)
            entries.append(
                Entry(
                    path: path, frames: canvases.frameCount, encoding: trial.encoding,
                    own: AnimationResult(own, canvases: canvases),
                    rivals: Dictionary(
                        uniqueKeysWithValues: runs.map { name, run in
                            (name, AnimationResult(run, canvases: canvases))
                        })))
        }
    }

    /// Measures the peak memory of a process that makes only this sticker.
    mutating func measureMemory() {
        for index in entries.indices {
            entries[index].peakMegabytes = Memory.peakMegabytes(entries[index].path)
        }
    }
}
