import StickerCodecs
import StickerRaster
import StickerValues

/// The frames of a picture with marks over them.
///
/// Changing marks are drawn more often than the art: long frames of the art are divided. A still is one frame.
final class MarkedFrames: FrameSource {
    /// The picture under the marks.
    enum Ground {
        case still(Canvas)
        case moving(any FrameSource)
    }

    /// One frame: the frame of the ground, and the time of its marks.
    struct Moment: Hashable {
        /// The frame of the ground.
        var frame: Int
        /// Milliseconds since the beginning.
        var milliseconds: Int
    }

    /// The most bytes of canvases in memory: 48 of 512x512.
    private static let keptBytesMax = 48 << 20

    private let ground: Ground
    private let moments: [Moment]
    private let marks: [DrawnMark]
    private var kept: [Int: Canvas] = [:]
    var budget: WorkBudget {
        didSet { if case .moving(let frames) = ground { frames.budget = budget } }
    }

    /// Draws marks over a ground at these moments.
    init(_ ground: Ground, at moments: [Moment], marks: [DrawnMark], budget: WorkBudget) {
        self.ground = ground
        self.moments = moments
        self.marks = marks
        self.budget = budget
    }

    /// The same frames under other marks.
    func wearing(_ others: [DrawnMark]) -> MarkedFrames {
        MarkedFrames(ground, at: moments, marks: others, budget: budget)
    }

    var canvasSize: PixelSize {
        switch ground {
        case .still(let canvas): canvas.pixels.size
        case .moving(let frames): frames.canvasSize
        }
    }

    private var canvasesMax: Int { Self.keptBytesMax / (canvasSize.pixelCount * 4) }

    var hasAlpha: Bool {
        if case .moving(let frames) = ground { frames.hasAlpha } else { true }
    }

    var loopCount: Int {
        if case .moving(let frames) = ground { frames.loopCount } else { 0 }
    }

    func canvas(_ index: Int) throws(Refusal) -> Canvas {
        if let canvas = kept[index] { return canvas }
        try Refusal.catching { try budget.check(.webp) }
        let moment = moments[index]
        let bare: Canvas =
            switch ground {
            case .still(let canvas): canvas
            case .moving(let frames): try frames.canvas(moment.frame)
            }
        let canvas = bare.wearing(marks, at: moment.milliseconds)
        if moments.count <= canvasesMax { kept[index] = canvas }
        return canvas
    }

    func keep(_ indices: [Int]) throws(Refusal) {
        for index in indices.sorted() where kept[index] == nil && kept.count < canvasesMax {
            kept[index] = try canvas(index)
        }
    }

    /// Whether any two frames show different pictures.
    func moves() throws(Refusal) -> Bool {
        let first = try canvas(0)
        for index in moments.indices.dropFirst()
        where try !canvas(index).pixels.showsSame(as: first.pixels) {
            return true
        }
        return false
    }
}

extension Timeline {
    /// The shortest frame after a division by marks, in milliseconds.
    private static let partMin = 40
    /// The approximate longest pause of a mark with keyframes, in milliseconds: as in animations by hand.
    static let motionStep = 80

    /// Divides frames where marks change, and returns the moments and a timeline of them. Times after any possible
    /// keyframe exceed every sticker and are left alone.
    func divided(by marks: [DrawnMark]) -> (moments: [MarkedFrames.Moment], timeline: Timeline) {
        let motionEnd = marks.map(\.motionMilliseconds).max() ?? 0
        var moments: [MarkedFrames.Moment] = []
        var parts: [Frame] = []
        var start = 0
        var lastStates: [DrawnMark.State] = []
        for frame in frames {
            let end = start + frame.milliseconds
            var motion = Self.motionCuts(from: start, to: end, until: motionEnd)[...]
            while start < end {
                let earliest = start + Self.partMin
                motion = motion.drop { $0 < earliest }
                let changes = marks.compactMap { $0.nextPicture(from: earliest) }
                let next = (changes + motion.prefix(1)).min() ?? end
                let isInside = next <= end - Self.partMin && next <= Watermark.millisecondsMax
                let time = isInside ? next : end
                let states = marks.map { $0.state(at: start) }
                if let last = moments.last, last.frame == frame.source, states == lastStates {
                    parts[parts.count - 1].milliseconds += time - start
                } else {
                    parts.append(Frame(source: moments.count, milliseconds: time - start))
                    moments.append(MarkedFrames.Moment(frame: frame.source, milliseconds: start))
                }
                (start, lastStates) = (time, states)
            }
        }
        return (moments, Timeline(frames: parts))
    }

    /// The equal divisions of a frame, up to the first that begins after `motionEnd`.
    private static func motionCuts(from start: Int, to end: Int, until motionEnd: Int) -> [Int] {
        let count = (end - start + motionStep / 2) / motionStep
        guard count > 1, start < motionEnd else { return [] }
        let cuts = (1..<count).map { start + (end - start) * $0 / count }
        let last = cuts.firstIndex { $0 >= motionEnd } ?? cuts.count - 1
        return Array(cuts[...last])
    }
}
