import StickerContainers

extension ColorFacts {
    /// Applies the statement of an intact chunk (PNG specification, third edition, 11.3.2); invalid lengths and values
    /// are ignored.
    mutating func readPNG(_ type: Int, _ data: UnsafeRawBufferPointer) {
        switch type {
        case PNGChunkType.cicp where data.count == 4:
            coded = CodedColor(primaries: Int(data[0]), transfer: Int(data[1]))
            coded?.matrix = Int(data[2])
            coded?.isFullRange = data[3] == 1
        case PNGChunkType.iccp: profile = PNGProfile.read(data)
        case PNGChunkType.srgb where data.count == 1: isSRGB = data[0] <= 3
        case PNGChunkType.gama where data.count == 4: gamma = data.bigEndian32(at: 0)
        case PNGChunkType.chrm where data.count == 32: chromaticities = Chromaticities(cHRM: data)
        default: break
        }
    }
}

extension Chromaticities {
    /// White, red, green and blue in 1/100,000.
    fileprivate init(cHRM data: UnsafeRawBufferPointer) {
        let points = stride(from: 0, to: 32, by: 8).map { offset in
            Point(
                Double(data.bigEndian32(at: offset) ?? 0) / 100_000,
                Double(data.bigEndian32(at: offset + 4) ?? 0) / 100_000)
        }
        self.init(red: points[1], green: points[2], blue: points[3], white: points[0])
    }
}
