import StickerContainers
import StickerModel

/// Puts the chunks of an APNG together (PNG specification, third edition, sections 5.6 and 11).
struct APNGFile {
    private static let chunkFrameBytes = 12
    private static let delayMax = 65535

    private var bytes: [UInt8]
    private var sequence = 0
    private var hasPixels = false

    /// The file of `frames`, the first of which covers the canvas of `size`.
    static func bytes(
        _ frames: [APNGStage.Frame], _ form: APNGForm, size: PixelSize, loopCount: Int
    ) throws(CodecError) -> [UInt8] {
        var file = APNGFile(form, size: size)
        let images = frames.reduce(0) { $0 + imageCount(of: $1) }
        file.append("acTL", number(images) + number(loopCount))
        for frame in frames { try file.append(frame, form) }
        file.append("IEND", [])
        return file.bytes
    }

    /// Images that a frame needs, because none can be shown for longer than 65535 ms.
    static func imageCount(of frame: APNGStage.Frame) -> Int {
        max(1, (frame.milliseconds + delayMax - 1) / delayMax)
    }

    /// Bytes of the first image of a frame; the others are negligible.
    static func byteCount(of frame: APNGStage.Frame) -> Int {
        2 * chunkFrameBytes + PNGFrameControl.byteCount + frame.data.count
    }

    private init(_ form: APNGForm, size: PixelSize) {
        bytes = PNGChunks.signature
        let header = Self.number(size.width) + Self.number(size.height)
        append("IHDR", header + [8, form.colorType, 0, 0, 0])
        append("sRGB", [0])  // perceptual intent
        guard case .palette(let table) = form else { return }
        let colors = ([0] + table.colors).map { UInt32(littleEndian: $0) }
        append(
            "PLTE",
            colors.flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255), UInt8($0 >> 16 & 255)] })
        let alphas = colors.map { UInt8($0 >> 24) }
        append("tRNS", Array(alphas[...(alphas.lastIndex { $0 < 255 } ?? 0)]))
    }

    /// Adds a frame; its time is divided equally if it is too long for one image.
    private mutating func append(_ frame: APNGStage.Frame, _ form: APNGForm) throws(CodecError) {
        let count = Self.imageCount(of: frame)
        let (each, rest) = frame.milliseconds.quotientAndRemainder(dividingBy: count)
        appendImage(frame, milliseconds: each + (rest > 0 ? 1 : 0))
        guard count > 1 else { return }
        // One pixel, which repeats what is already shown.
        let dot = PixelRectangle(x: 0, y: 0, width: 1, height: 1)
        let data = try APNGStage.data(of: [frame.corner], form, dot)
        let image = APNGStage.Frame(
            area: dot, isBlended: false, data: data, corner: frame.corner, milliseconds: 0)
        for index in 1..<count { appendImage(image, milliseconds: each + (index < rest ? 1 : 0)) }
    }

    private mutating func appendImage(_ frame: APNGStage.Frame, milliseconds: Int) {
        let area = frame.area
        let sides = [area.width, area.height, area.x, area.y].flatMap(Self.number)
        let delay = Self.short(milliseconds) + Self.short(1000)
        append("fcTL", nextNumber() + sides + delay + [0, frame.isBlended ? 1 : 0])
        if hasPixels {
            append("fdAT", nextNumber() + frame.data)
        } else {
            append("IDAT", frame.data)
        }
        hasPixels = true
    }

    private mutating func nextNumber() -> [UInt8] {
        defer { sequence += 1 }
        return Self.number(sequence)
    }

    private mutating func append(_ type: StaticString, _ data: [UInt8]) {
        bytes += Self.number(data.count)
        let start = bytes.count
        bytes += UnsafeBufferPointer(start: type.utf8Start, count: type.utf8CodeUnitCount)
        bytes += data
        let checksum = bytes.withUnsafeBytes { CRC32.checksum($0.part(start..<$0.count)) }
        bytes += Self.number(Int(checksum))
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func short(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
}
