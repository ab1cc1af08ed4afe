import StickerCodecs
import StickerRaster
import StickerValues

extension StillDecoding {
    /// Decodes the picture, converts its colours to sRGB, and scales it once for each of `scales`.
    ///
    /// Rows stream from the decoder through the colour stage into the resamplers, so a large picture is
    /// never in memory as a whole. The result for one scale does not depend on the others.
    ///
    /// - Returns: a frame for each scale, oriented as in the file. Rows that a file with accepted damage lacks are
    ///   transparent.
    func scaled(
        by scales: [Scale], color: ColorConversion, budget: WorkBudget,
        accepting damage: AcceptedDamage? = nil, _ times: inout StageTimes
    ) throws(CodecError) -> [Canvas] {
        var frames: [Int: Canvas] = [:]
        let sizes = scales.map(decodedSize)
        for (index, size) in sizes.enumerated() where frames[index] == nil {
            let places = scales.indices.filter { sizes[$0] == size }
            let drawn = try scaled(
                from: size, by: places.map { scales[$0] }, color: color, budget: budget,
                accepting: damage,
                &times)
            for (place, frame) in zip(places, drawn) { frames[place] = frame }
        }
        return scales.indices.compactMap { frames[$0] }
    }

    /// At twice the wanted size, a decoder's own scaling costs 3 to 6 points of SSIMULACRA2, at 3.5 times the size 2;
    /// nearest and parts need true pixels.
    private func decodedSize(for scale: Scale) -> PixelSize {
        if isDrawnInAnySize, scale.part == nil { return scale.size }
        return scale.filter != .lanczos3 || scale.part != nil
            ? header.size : decodedSize(longSideAtLeast: 7 * scale.size.longSide / 2)
    }

    /// Decodes once, in `size`.
    private func scaled(
        from size: PixelSize, by scales: [Scale], color: ColorConversion, budget: WorkBudget,
        accepting damage: AcceptedDamage?, _ times: inout StageTimes
    ) throws(CodecError) -> [Canvas] {
        let resamplers = scales.map { scale in
            scale.resampler(
                from: size, extent: extent(of: size), layout: color.layout,
                hasAlpha: header.hasAlpha || damage != nil)
        }
        // Decoding is the time between the rows. Their CPU time is divided like the wall-clock time: asking the
        // kernel for it at every row would take longer than some of them.
        let start = times.now
        var (coloring, scaling) = (0.0, 0.0)
        var rows = 0
        let consume = { (row: UnsafeRawBufferPointer) throws(CodecError) in
            try budget.check(header.format)
            let begun = StepClock.wall
            let converted = color.convert(row: row, pixels: size.width)
            let middle = StepClock.wall
            for resampler in resamplers { resampler.consume(converted) }
            coloring += middle - begun
            scaling += StepClock.wall - middle
            rows += 1
        }
        do {
            try decode(size: size, row: consume)
        } catch {
            guard let damage, rows > 0 else { throw error }
            try damage.accept(error)
            // Missing parts of the file are transparent.
            let clear = [UInt8](
                repeating: 0, count: size.width * color.layout.bytesPerPixel)
            clear.withUnsafeBytes { clear in
                for _ in rows..<size.height {
                    for resampler in resamplers { resampler.consume(clear) }
                }
            }
        }
        let end = StepClock.wall
        let frames = resamplers.map { Canvas($0.finish()) }
        scaling += StepClock.wall - end
        let all = times.now - start
        times.add("decode", all.part(wall: max(0, all.wall - coloring - scaling)), "\(size)")
        if !color.isIdentity { times.add("colour", all.part(wall: coloring), color.shown) }
        times.add("scale", all.part(wall: scaling), scales.shown)
        return frames
    }
}

extension StillDecoding {
    /// Decodes the picture to find its visible part.
    ///
    /// - Returns: the part, oriented as in the file; `nil` for the whole picture, or if nothing is visible.
    func artArea(
        budget: WorkBudget, accepting damage: AcceptedDamage?
    ) throws(CodecError) -> PixelRectangle? {
        // Inks mostly have no alpha.
        guard header.hasAlpha || damage != nil, header.layout != .cmyk8 else { return nil }
        var area = ArtArea(size: header.size, layout: header.layout)
        var rows = 0
        do {
            try decode(size: header.size) { row throws(CodecError) in
                try budget.check(header.format)
                area.note(row, y: rows)
                rows += 1
            }
        } catch {
            // The damage is noted when the picture itself is decoded.
            guard damage != nil, rows > 0 else { throw error }
        }
        return area.part
    }
}

extension StillDecoding {
    /// Decodes the picture to find out whether it is pixel art.
    ///
    /// - Parameters:
    ///   - part: the relevant part, as stored; `nil` for the whole picture.
    ///   - budget: the time limit.
    /// - Returns: the finding; `nil` for drawings, which have no pixels, and for inks.
    /// - Throws: `CodecError` if it cannot be decoded, or not in time.
    func pixelArt(
        in part: PixelRectangle?, budget: WorkBudget
    ) throws(CodecError) -> PixelArtDetector.Finding? {
        guard !isDrawnInAnySize, !header.layout.isInk else { return nil }
        // JPEG noise is everywhere.
        if header.format == .jpeg { return .smooth("it is a JPEG") }
        let area = part ?? PixelRectangle(all: header.size)
        let rows = area.y..<area.y + area.height
        let bytes = header.layout.bytesPerPixel
        return try PixelArtDetector.finding(of: area.size, header.layout) {
            note throws(CodecError) in
            var y = 0
            try decode(size: header.size) { row throws(CodecError) in
                defer { y += 1 }
                try budget.check(header.format)
                guard rows ~= y else { return }
                let shown = row[(area.x * bytes)...].prefix(area.width * bytes)
                _ = note(UnsafeRawBufferPointer(rebasing: shown), y - area.y)
            }
        }
    }
}

extension ColorConversion {
    /// For the job log.
    fileprivate var shown: String { assumesProfile ? "to sRGB by color.cmykProfile" : "to sRGB" }
}
