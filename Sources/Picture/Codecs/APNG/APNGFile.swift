import StickerContainers
import StickerValues

/// Assembles the chunks of an APNG (PNG specification, third edition, sections 5.6 and 11).
struct APNGFile {
    private static let chunkFrameBytes = 12
    private static let delayMax = 65535

    private var file: PNGFile
    private var sequence = 0
    private var hasPixels = false

    /// The file of `frames`, the first of which covers the canvas of `size`.
    static func bytes(
        _ frames: [APNGStage.Frame], _ form: APNGForm, size: PixelSize, loopCount: Int
    ) throws(CodecError) -> [UInt8] {
        var apng = APNGFile(form, size: size)
        let images = frames.reduce(0) { $0 + imageCount(of: $1) }
        apng.file.append("acTL", PNGFile.number(images) + PNGFile.number(loopCount))
        for frame in frames { try apng.append(frame, form) }
        apng.file.append("IEND", [])
        return apng.file.bytes
    }

    /// How many images a frame needs, because none can be shown for longer than 65535 ms.
    static func imageCount(of frame: APNGStage.Frame) -> Int {
        max(1, (frame.milliseconds + delayMax - 1) / delayMax)
    }

    /// Bytes of the first image of a frame; the others are negligible.
    static func byteCount(of frame: APNGStage.Frame) -> Int {
        2 * chunkFrameBytes + PNGFrameControl.byteCount + frame.data.count
    }

    private init(_ form: APNGForm, size: PixelSize) {
        file = PNGFile(size: size, form: form.samples)
        if case .palette(let table) = form { file.append(palette: [0] + table.colors) }
    }

    /// Adds a frame; its time is divided equally if it is too long for one image.
    private mutating func append(_ frame: APNGStage.Frame, _ form: APNGForm) throws(CodecError) {
        let count = Self.imageCount(of: frame)
        let (each, rest) = frame.milliseconds.quotientAndRemainder(dividingBy: count)
        appendImage(frame, milliseconds: each + (rest > 0 ? 1 : 0))
        guard count > 1 else { return }
        // One pixel, which repeats the shown one.
        let dot = PixelRectangle(x: 0, y: 0, width: 1, height: 1)
        let data = try APNGStage.data(of: [frame.corner], form, dot)
        let image = APNGStage.Frame(
            area: dot, isBlended: false, data: data, corner: frame.corner, milliseconds: 0)
        for index in 1..<count { appendImage(image, milliseconds: each + (index < rest ? 1 : 0)) }
    }

    private mutating func appendImage(_ frame: APNGStage.Frame, milliseconds: Int) {
        let area = frame.area
        let sides = [area.width, area.height, area.x, area.y].flatMap(PNGFile.number)
        let delay = Self.short(milliseconds) + Self.short(1000)
        file.append("fcTL", nextNumber() + sides + delay + [0, frame.isBlended ? 1 : 0])
        if hasPixels {
            file.append("fdAT", nextNumber() + frame.data)
        } else {
            file.append("IDAT", frame.data)
        }
        hasPixels = true
    }

    private mutating func nextNumber() -> [UInt8] {
        defer { sequence += 1 }
        return PNGFile.number(sequence)
    }

    private static func short(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
}
