import CTurboJPEG
import StickerContainers
public import StickerRaster
public import StickerValues

/// Decodes baseline and progressive JPEG through TurboJPEG, scaled down by eighths on request.
///
/// Gray, YCbCr and RGB are delivered as RGBA; CMYK and YCCK as CMYK with 0 for no ink. All programs store CMYK
/// inverted, with Adobe's marker or without, and browsers expect that.
public struct JPEGDecoder: StillDecoding {
    /// Known before decoding the pixels.
    public let header: ImageHeader
    private let source: SourceBytes
    private let markers: JPEGHeader
    private let limits: DecodeLimits
    private let damage: AcceptedDamage?

    /// Walks the markers.
    /// - Throws: `CodecError` if they break the format or `limits`.
    public init(_ source: SourceBytes, limits: DecodeLimits) throws(CodecError) {
        try self.init(source, limits: limits, accepting: nil)
    }

    /// Walks the markers; libjpeg invents the missing pixels of a damaged file, mostly gray.
    /// - Throws: `CodecError` if they break the format or `limits`.
    public init(
        _ source: SourceBytes, limits: DecodeLimits, accepting damage: AcceptedDamage?
    ) throws(CodecError) {
        self.source = source
        self.limits = limits
        self.damage = damage
        markers = try source.withUnsafeBytes { bytes throws(CodecError) in
            try JPEGHeader(bytes, limits: limits, accepting: damage)
        }
        header = try ImageHeader(markers)
    }

    /// The smallest of the eighths of the stored size whose longer side is at least `side`.
    public func decodedSize(longSideAtLeast side: Int) -> PixelSize {
        JPEGScaling.size(of: header.size, longSideAtLeast: side)
    }

    /// The part of the decoded pixels that the picture covers; see `StillDecoding`.
    public func extent(of size: PixelSize) -> PixelExtent {
        JPEGScaling.extent(of: header.size, decodedTo: size)
    }

    /// Decodes to `size`, which must come from `decodedSize`; see `StillDecoding`.
    public func decode(
        size: PixelSize, row: (UnsafeRawBufferPointer) throws(CodecError) -> Void
    ) throws(CodecError) {
        try limits.check(decoderBytes: markers.workingBytes + size.pixelCount * 4, .jpeg)
        let memory = try LargeMemory(zeros: size.pixelCount * 4, .jpeg)
        let pixels = memory.bytes
        try source.withUnsafeBytes { bytes throws(CodecError) in
            try decode(bytes, size: size, into: pixels)
        }
        if header.layout == .cmyk8 { Self.invert(pixels) }
        let stride = size.width * 4
        for y in 0..<size.height {
            try row(UnsafeRawBufferPointer(pixels).part((y * stride)..<((y + 1) * stride)))
        }
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer, size: PixelSize, into pixels: UnsafeMutableRawBufferPointer
    ) throws(CodecError) {
        let reader = try JPEGReader()
        let format = header.layout == .cmyk8 ? TJPF_CMYK : TJPF_RGBA
        guard markers.needsRepair else {
            return try reader.decode(
                bytes, size: size, pixelFormat: format, into: pixels, accepting: damage)
        }
        let mended = JPEGRepair.mended(bytes, componentCount: markers.frame.components.count)
        try mended.withUnsafeBytes { mended throws(CodecError) in
            try reader.decode(
                mended, size: size, pixelFormat: format, into: pixels, accepting: damage)
        }
    }

    private static func invert(_ pixels: UnsafeMutableRawBufferPointer) {
        for (index, word) in pixels.assumingMemoryBound(to: UInt32.self).enumerated() {
            pixels.assumingMemoryBound(to: UInt32.self)[index] = ~word
        }
    }
}

extension ImageHeader {
    fileprivate init(_ markers: JPEGHeader) throws(CodecError) {
        let count = markers.frame.components.count
        let colors = count == 1 ? "gray" : count == 4 ? "CMYK" : "color"
        let passes = markers.frame.isProgressive ? "progressive, " : ""
        let scans = markers.scanCount == 1 ? "1 scan" : "\(markers.scanCount) scans"
        self.init(
            format: .jpeg, size: markers.frame.size, layout: count == 4 ? .cmyk8 : .rgba8,
            orientation: markers.orientation, hasAlpha: false,
            detail: "\(colors), \(passes)\(scans)")
        var facts = ColorFacts(.jpeg, pixels: markers.frame.pixels)
        facts.profile = markers.profile
        try describeColor(facts)
        if markers.needsRepair {
            warnings.append(
                Warning("junk-between-segments", "odd bytes between the JPEG's segments"))
        }
    }
}
