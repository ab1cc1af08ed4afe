import Glibc
import StickerCodecs
import StickerContainers
import StickerRaster
import StickerValues

/// A lossy animated WebP of one timeline, as often as a search requires.
///
/// Every frame is a patch of the changes. Pixels that stay on the screen for long get a higher quality than those that
/// are soon overdrawn. A few frames predict the size of the whole.
final class LossyAnimation {
    /// Frames that represent a long animation.
    private static let sampledFrames = 12
    private static let scoredFrames = 3
    /// Every third frame of a sample says how much smaller a coarser alpha plane is.
    private static let alphaStride = 3
    /// A smaller change of the size is made by some of the frames, with a change by as many quantizer indices: the others
    /// stay as they are coded. A step is 4 % of a quantizer.
    private static let indicesAtOnce = 3.0
    /// From this quality on, block edges are hardly smoothed.
    private static let qualityUnfiltered = 93.0

    private let source: any FrameSource
    private let frames: [PatchedFrame]
    private let ground: AnimationGround
    /// Places of the frames that predict the size; all of a short animation.
    private let sample: [Int]
    /// The encoders of the sample, which are used repeatedly.
    private var encoders: [Int: WebPEncoder] = [:]
    /// The coded colours of the sample, which later become part of the file.
    private var coded: [Coding: [UInt8]] = [:]
    private var references: [Int: PerceptualReference] = [:]
    private var alphaBytes: [Int: Int] = [:]
    private var alphas: [AlphaCoding: [UInt8]?] = [:]
    /// The colours of the last whole file.
    private var whole: [Int: (coding: Coding, color: [UInt8])] = [:]
    /// The last file whose frames had one quality, and `turns(of:)` them.
    private var base: (quality: Double, turns: [Double])?
    /// The bytes of the colours by quality, as far as the sample was coded.
    private(set) var colors = MeasuredCurve()

    /// How all frames are filtered.
    private(set) var filter = LoopFilter.normal

    private struct Coding: Hashable {
        var place: Int
        var quality: Double
        var filter: LoopFilter
    }

    private struct AlphaCoding: Hashable {
        var place: Int
        var quality: Int
    }

    /// Compares all frames of `timeline`, decoding them once. If they are a part of `whole`, each gets its quality
    /// there.
    init(
        _ timeline: Timeline, of source: any FrameSource, in whole: LossyAnimation? = nil
    ) throws(Refusal) {
        self.source = source
        var (frames, ground) = try PatchedFrame.all(of: timeline, source)
        for other in whole?.frames ?? [] {
            for index in frames.indices where frames[index].source == other.source {
                frames[index].indicesBetter = other.indicesBetter
            }
        }
        (self.frames, self.ground) = (frames, ground)
        let last = frames.count - 1
        sample =
            last < Self.sampledFrames * 3 / 2
            ? Array(0...last)
            : (0..<Self.sampledFrames).map { $0 * last / (Self.sampledFrames - 1) }
        hasAlpha = frames.contains(where: \.isTranslucent)
    }

    /// Whether some patch is translucent, so that the quality of its alpha plane matters: any quality preserves two
    /// values.
    let hasAlpha: Bool

    /// Whether it has the two frames that an animation needs: dropping frames of a blinking one may leave equal ones.
    var moves: Bool { frames.count > 1 }

    /// The whole file; `quality` is that of the frames whose pixels are shown most briefly, others have a higher one.
    ///
    /// With `qualities`, to which all frames keep, a file whose quality differs little from that of an earlier one has most
    /// frames of that, and is as large as if all had changed a little.
    func file(
        quality: Double, alphaQuality: Int, loopCount: Int,
        keepingMostIn qualities: ClosedRange<Double>? = nil
    ) throws(Refusal) -> [UInt8] {
        var parts: [RIFF.AnimationFrame] = []
        let chosen = self.qualities(near: quality, qualities)
        for place in frames.indices {
            // Those outside of the sample are made if anything is left to code, and given up after the frame.
            var made: WebPEncoder?
            func fresh() throws(Refusal) -> WebPEncoder {
                if let made { return made }
                let encoder = try encoder(place)
                made = encoder
                return encoder
            }
            let color = try wholeColor(place, chosen[place], fresh)
            let alpha = try alpha(place, alphaQuality, fresh)
            parts.append(frames[place].coded(color, alpha: alpha))
        }
        if chosen.allSatisfy({ $0 == quality }) {
            base = (quality, turns(of: parts.map(\.color.count)))
        }
        return ground.applied(
            to: RIFF.animation(size: source.canvasSize, loopCount: loopCount, frames: parts))
    }

    /// The quality of each frame.
    private func qualities(
        near quality: Double, _ qualities: ClosedRange<Double>?
    ) -> [Double] {
        guard let base, let qualities, quality != base.quality else {
            return frames.map { _ in quality }
        }
        let (from, index) = (
            QuantizerIndex.of(quality: base.quality), QuantizerIndex.of(quality: quality)
        )
        guard abs(index - from) < Self.indicesAtOnce else { return frames.map { _ in quality } }
        let farthest = QuantizerIndex.quality(
            of: max(0, from + (index < from ? -Self.indicesAtOnce : Self.indicesAtOnce)))
        let other = min(max(farthest, qualities.lowerBound), qualities.upperBound)
        let share = (index - from) / (QuantizerIndex.of(quality: other) - from)
        return base.turns.map { $0 < share ? other : base.quality }
    }

    /// From which share of the bytes on each frame changes: evenly spread, the first and largest one last.
    private func turns(of sizes: [Int]) -> [Double] {
        // Multiples of the golden ratio are spread evenly.
        let others = sizes.indices.dropFirst().sorted {
            (Double($0) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
                < (Double($1) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
        }
        let all = Double(max(1, sizes.reduce(0, +)))
        var (turns, sum) = ([Double](repeating: 0, count: sizes.count), 0.0)
        for place in others + [0] {
            turns[place] = (sum + Double(sizes[place]) / 2) / all
            sum += Double(sizes[place])
        }
        return turns
    }

    private func wholeColor(
        _ place: Int, _ quality: Double, _ encoder: () throws(Refusal) -> WebPEncoder
    ) throws(Refusal) -> [UInt8] {
        let coding = Coding(place: place, quality: frames[place].raised(quality), filter: filter)
        if let known = whole[place], known.coding == coding { return known.color }
        let color = try color(place, quality, try encoder())
        whole[place] = (coding, color)
        return color
    }

    private func alpha(
        _ place: Int, _ quality: Int, _ encoder: () throws(Refusal) -> WebPEncoder
    ) throws(Refusal) -> [UInt8]? {
        let coding = AlphaCoding(place: place, quality: quality)
        if let alpha = alphas[coding] { return alpha }
        let fresh = try encoder()
        let alpha = try Refusal.catching { try fresh.lossyAlpha(quality: quality) }
        alphas[coding] = .some(alpha)
        return alpha
    }

    private func color(
        _ place: Int, _ quality: Double, _ encoder: WebPEncoder
    ) throws(Refusal) -> [UInt8] {
        let quality = frames[place].raised(quality)
        let coding = Coding(place: place, quality: quality, filter: filter)
        if let color = coded[coding] { return color }
        let color = try Refusal.catching {
            try encoder.lossyColor(quality: quality, filter: filter)
        }
        if encoders[place] != nil { coded[coding] = color }
        return color
    }

    // MARK: Predictions

    /// The approximate bytes of the whole file that do not depend on the quality of colours, from the sample.
    func alphaBytes(_ alphaQuality: Int) throws(Refusal) -> Int {
        if let bytes = alphaBytes[alphaQuality] { return bytes }
        let bytes: Int
        if let exact = alphaBytes[100], alphaQuality != 100 {
            var (some, exactSome) = (0, 0)
            for place in Swift.stride(from: 0, to: sample.count, by: Self.alphaStride) {
                some += try alphaBytes(ofPlace: sample[place], alphaQuality)
                exactSome += try alphaBytes(ofPlace: sample[place], 100)
            }
            bytes = Int(Double(exact) * Double(some) / Double(exactSome))
        } else {
            bytes = try extrapolated { (place, _) throws(Refusal) in
                try alphaBytes(ofPlace: place, alphaQuality)
            }
        }
        alphaBytes[alphaQuality] = bytes
        return bytes
    }

    private func alphaBytes(ofPlace place: Int, _ quality: Int) throws(Refusal) -> Int {
        let alpha = try alpha(place, quality) { () throws(Refusal) in try encoder(place) }
        return RIFF.frameBytes + (alpha?.count ?? 0)
    }

    /// The bytes of the colours of the whole file as they are foretold without coding any.
    func foretoldColors() throws(Refusal) -> SizeCurve {
        var terms: [(frame: PatchedFrame, estimate: LossyEstimate, weight: Double)] = []
        for place in sample {
            let encoder = try encoder(place)
            let estimate = try Refusal.catching { try encoder.estimate() }
            terms.append((frames[place], estimate, place == 0 ? 1 : othersPerSampled))
        }
        colors.shape = SizeCurve { [terms] quality in
            log(
                terms.reduce(1) { sum, term in
                    sum + term.weight * term.estimate.bytes(quality: term.frame.raised(quality))
                })
        }
        return colors.shape
    }

    /// The approximate bytes of the colours of the whole file, from the sample.
    func colorBytes(_ quality: Double) throws(Refusal) -> Int {
        let bytes = try extrapolated { (place, encoder) throws(Refusal) in
            try color(place, quality, encoder).count
        }
        colors.note(bytes, quality: quality)
        return bytes
    }

    /// The sum over all frames, from `bytes` of the frames of the sample, by their drawn area.
    private func extrapolated(
        _ bytes: (_ place: Int, _ encoder: WebPEncoder) throws(Refusal) -> Int
    ) throws(Refusal) -> Int {
        var sum = 0.0
        for place in sample {
            sum +=
                Double(try bytes(place, try encoder(place))) * (place == 0 ? 1 : othersPerSampled)
        }
        return Int(sum)
    }

    /// How many times as large as its frames in the sample an animation is after its first frame.
    private var othersPerSampled: Double {
        let sampled = sample.dropFirst().reduce(0) { $0 + frames[$1].patch.drawnCount }
        let all = frames.dropFirst().reduce(0) { $0 + $1.patch.drawnCount }
        return sampled > 0 ? Double(all) / Double(sampled) : 0
    }

    /// The mean similarity of a few patches to their canvases, 0-100. Only patches that replace the shown picture are
    /// judged, because the quality of the alpha plane affects no others.
    func sampledScore(quality: Double, alphaQuality: Int) throws(Refusal) -> Double {
        try score(
            of: sample.filter { !frames[$0].patch.isBlended }, quality: quality,
            alphaQuality: alphaQuality)
    }

    /// Chooses the filter of the frames by the score of a few: on dithered scenes and fine coloured detail one filter
    /// is up to 8 points better, on soft shapes the other by 1. Sizes stay the same.
    func chooseFilter(quality: Double, alphaQuality: Int) throws(Refusal) {
        (filter, base) = (.normal, nil)
        guard quality < Self.qualityUnfiltered else { return }
        let normal = try score(of: sample, quality: quality, alphaQuality: alphaQuality)
        filter = .simple
        let simple = try score(of: sample, quality: quality, alphaQuality: alphaQuality)
        if normal >= simple { filter = .normal }
    }

    /// The mean score of a few of some patches.
    private func score(
        of places: [Int], quality: Double, alphaQuality: Int
    ) throws(Refusal) -> Double {
        let chosen = (0..<Self.scoredFrames).map {
            places[$0 * (places.count - 1) / (Self.scoredFrames - 1)]
        }
        let scored = Set(chosen).sorted()
        var sum = 0.0
        for place in scored {
            let (encoder, reference) = (try encoder(place), try reference(place))
            let color = try color(place, quality, encoder)
            let alpha = try alpha(place, alphaQuality) { () throws(Refusal) in encoder }
            sum += try Refusal.catching {
                let size = frames[place].patch.area.size
                let file =
                    alpha.map { RIFF.extendedStill(size: size, alpha: $0, color: color) }
                    ?? RIFF.simpleStill(color: color)
                return reference.score(of: try WebPDecoder.still(file))
            }
        }
        return sum / Double(scored.count)
    }

    private func reference(_ place: Int) throws(Refusal) -> PerceptualReference {
        if let reference = references[place] { return reference }
        let canvas = try source.canvas(frames[place].source)
        let reference = PerceptualReference(frames[place].patch.pixels(of: canvas.pixels))
        references[place] = reference
        return reference
    }

    private func encoder(_ place: Int) throws(Refusal) -> WebPEncoder {
        if let encoder = encoders[place] { return encoder }
        let canvas = try source.canvas(frames[place].source)
        let encoder = WebPEncoder(
            frames[place].patch.pixels(of: canvas.pixels), exact: frames[place].patch.isBlended,
            budget: source.budget)
        if sample.contains(place) { encoders[place] = encoder }
        return encoder
    }
}

private struct PatchedFrame {
    /// libwebp's quantizer indices by which a frame improves with each doubling of its time on the screen.
    ///
    /// 0, 2, 3, 4 and 5 were tested on ten GIFs; 3 to 5 score alike, 0.4 to 2.4 points above 0 at equal bytes.
    private static let indicesPerDoubling = 3.0

    /// The frame of the source.
    let source: Int
    var milliseconds: Int
    let patch: AnimationPatch
    let isTranslucent: Bool
    /// Its advantage in libwebp's quantizer indices over the frame seen most briefly.
    var indicesBetter = 0.0

    /// Its quality, which is higher the longer its pixels are shown.
    func raised(_ quality: Double) -> Double {
        let index = QuantizerIndex.of(quality: quality) - indicesBetter
        return max(quality, QuantizerIndex.quality(of: max(0, index)))
    }

    /// The frames of `timeline` with changes, the others prolong the shown one; and the empty parts of the canvases.
    static func all(
        of timeline: Timeline, _ source: any FrameSource
    ) throws(Refusal) -> (frames: [Self], ground: AnimationGround) {
        var planner = PatchPlanner(size: source.canvasSize)
        var frames: [Self] = []
        var ground = AnimationGround()
        for frame in timeline.frames {
            let canvas = try source.canvas(frame.source)
            ground.note(canvas.pixels)
            if let patch = planner.patch(for: canvas.pixels) {
                frames.append(
                    Self(
                        source: frame.source, milliseconds: frame.milliseconds, patch: patch,
                        isTranslucent: !patch.isBlended && canvas.pixels.isTranslucent))
            } else {
                frames[frames.count - 1].milliseconds += frame.milliseconds
            }
        }
        let lives = lives(of: frames)
        let shortest = lives.min() ?? 1
        for index in frames.indices {
            frames[index].indicesBetter = indicesPerDoubling * log2(lives[index] / shortest)
        }
        return (frames, ground)
    }

    /// How many milliseconds the pixels drawn by each frame stay visible, on average over their detail.
    private static func lives(of frames: [Self]) -> [Double] {
        // How long each square stays unchanged from the current frame on.
        var rest = [Double](repeating: 0, count: frames.first?.patch.drawn.count ?? 0)
        let lives = frames.reversed().map { frame -> Double in
            let patch = frame.patch
            var (sum, weight) = (0.0, 0.0)
            for square in rest.indices {
                rest[square] += Double(frame.milliseconds)
                guard patch.drawn[square] else { continue }
                // Flat squares have a small weight.
                let detail = Double(patch.detail[square]) + 1
                sum += rest[square] * detail
                weight += detail
                rest[square] = 0
            }
            return max(1, weight > 0 ? sum / weight : Double(frame.milliseconds))
        }
        return lives.reversed()
    }

    /// The frame of an animated file, from the payloads of its chunks.
    func coded(_ color: [UInt8], alpha: [UInt8]?) -> RIFF.AnimationFrame {
        RIFF.AnimationFrame(
            x: patch.area.x, y: patch.area.y, size: patch.area.size, milliseconds: milliseconds,
            isBlended: patch.isBlended, alpha: alpha, color: color)
    }
}

extension PixelBuffer {
    /// Whether some pixel is neither opaque nor transparent.
    fileprivate var isTranslucent: Bool {
        withUnsafeBytes { bytes in
            Swift.stride(from: 3, to: bytes.count, by: 4).contains {
                bytes[$0] != 0 && bytes[$0] != 255
            }
        }
    }
}
