import StickerValues

/// The part of `PNGAudit` about the chunks of an animation.
struct APNGAudit {
    private let size: PixelSize
    private var control: PNGAnimationControl?
    private var sequence = 0
    private var images = 0
    private var milliseconds = 0

    /// For an animation of `size`.
    init(_ size: PixelSize) { self.size = size }

    var hasFrames: Bool { images > 0 }

    /// Every frame control is followed by one chunk of pixels: IDAT for the first, fdAT for the others.
    func checkPlace(of type: Int, behind last: Int, _ faults: inout Faults) {
        let pixels = images == 1 ? PNGChunkType.idat : PNGChunkType.fdat
        let isPixels = type == PNGChunkType.idat || type == PNGChunkType.fdat
        if last == PNGChunkType.fctl ? type != pixels : isPixels {
            let (name, other) = (PNGChunkType.name(type), PNGChunkType.name(last))
            faults.note("\(name) does not belong behind \(other)")
        }
    }

    /// Returns whether the chunk is of a type that only animations have.
    mutating func check(
        _ type: Int, _ data: UnsafeRawBufferPointer, _ faults: inout Faults
    ) -> Bool {
        switch type {
        case PNGChunkType.actl:
            control = PNGAnimationControl(data)
            if control == nil { faults.note("acTL has \(data.count) bytes instead of 8") }
        case PNGChunkType.fctl: checkFrame(data, &faults)
        case PNGChunkType.fdat: checkNumber(data.bigEndian32(at: 0), "fdAT", &faults)
        default: return false
        }
        return true
    }

    private mutating func checkFrame(_ data: UnsafeRawBufferPointer, _ faults: inout Faults) {
        images += 1
        guard let frame = PNGFrameControl(data) else {
            return faults.note(
                "fcTL has \(data.count) bytes instead of \(PNGFrameControl.byteCount)")
        }
        checkNumber(frame.sequence, "fcTL", &faults)
        let found = PixelSize(width: frame.width, height: frame.height)
        let name = "image \(images - 1), \(found) at \(frame.x),\(frame.y),"
        if frame.width == 0 || frame.height == 0 { faults.note("\(name) is empty") }
        if frame.x + frame.width > size.width || frame.y + frame.height > size.height {
            faults.note("\(name) leaves the canvas")
        }
        if images == 1, found != size { faults.note("\(name) is not the whole canvas") }
        if frame.disposal > 2 || frame.blend > 1 {
            faults.note("\(name) has disposal \(frame.disposal) and blending \(frame.blend)")
        }
        if frame.delayDenominator != 1000 {
            faults.note("\(name) counts its time in 1/\(frame.delayDenominator) s")
        }
        milliseconds += frame.delayMilliseconds
    }

    private mutating func checkNumber(_ number: Int?, _ name: String, _ faults: inout Faults) {
        guard let number else { return faults.note("\(name) has no sequence number") }
        if number != sequence {
            faults.note("\(name) has sequence number \(number) instead of \(sequence)")
        }
        sequence += 1
    }

    /// Compares the whole file with the number of images, their time, and how often they must play.
    func compare(_ frames: Int, _ expected: Int?, _ plays: Int?, _ faults: inout Faults) {
        if images != frames { faults.note("\(images) images instead of \(frames)") }
        if let expected, milliseconds != expected {
            faults.note("the frames last \(milliseconds) ms instead of \(expected)")
        }
        guard let control else { return faults.note("there is no acTL chunk") }
        if control.frames != images {
            faults.note("acTL promises \(control.frames) images, and \(images) are there")
        }
        if let plays, control.plays != plays {
            faults.note("the animation asks for \(control.plays) plays instead of \(plays)")
        }
    }
}
