import StickerValues

/// The source file of a sticker for the checks of mended faults: headers, and nothing decoded.
struct SuspectPicture {
    let source: SourceBytes
    let format: ImageFormat
    let bytes: UnsafeRawBufferPointer
    let published: PublishedFacts

    /// The kind of samples.
    enum Samples { case gray, color, inks }

    // MARK: Colour

    /// The kind of the stored samples, according to the header.
    var samples: Samples? {
        switch format {
        case .png: pngColorType.map { $0 & 3 == 0 ? .gray : .color }
        case .jpeg: jpegComponents.flatMap { [1: .gray, 3: .color, 4: .inks][$0] }
        case .tiff:
            TIFFDirectory.all(in: bytes).first?[262].flatMap {
                [0: .gray, 1: .gray, 2: .color, 3: .color, 5: .inks, 6: .color][$0]
            }
        case .avif, .heic: isMonochrome.map { $0 ? .gray : .color }
        case .webp, .bmp: .color
        case .gif, .svg: nil
        }
    }

    /// The colour space of the embedded profile (ICC.1:2010, table 19): `GRAY`, `RGB ` or `CMYK`.
    var profileSpace: String? {
        let profile = profile
        guard profile.count >= 20 else { return nil }
        return String(decoding: profile[16..<20], as: UTF8.self)
    }

    /// Whether gray is as light by the embedded profile as without one.
    var profileKeepsGray: Bool {
        profile.withUnsafeBytes { ICCCurve($0, "rTRC")?.isLikeSRGB } ?? false
    }

    /// The transfer that the embedded profile states by number (ITU-T H.273).
    var profileTransfer: Int? { profile.withUnsafeBytes { ICCOutline.transfer(in: $0) } }

    /// In larger profiles, the curves come after the tables; relevant ones of gray or RGB are small.
    private static let profileBytesMax = 16 << 10

    /// The first bytes of the embedded profile.
    private var profile: [UInt8] {
        let range: Range<Int>? =
            switch format {
            case .jpeg: jpegProfile
            case .webp: webpChunk("ICCP")
            case .tiff: TIFFDirectory.all(in: bytes).first?.range(of: 34675)
            // An unreadable header has no profile.
            case .bmp: (try? BMPHeader(bytes))?.profile
            case .avif, .heic: heifProfile
            case .png, .gif, .svg: nil
            }
        if format == .png { return pngProfile }
        return range.map { Array(bytes[$0].prefix(Self.profileBytesMax)) } ?? []
    }

    // MARK: PNG

    /// The chunks before the pixels, or before the part that was not read.
    var pngHead: [PNGChunks.Chunk] {
        guard format == .png else { return [] }
        return PNGChunks(bytes).prefix {
            $0.type != PNGChunkType.idat && $0.type != PNGChunkType.iend && $0.type != 0
        }
    }

    /// The data of a chunk before the pixels.
    func pngChunk(_ type: Int) -> UnsafeRawBufferPointer? {
        pngHead.first { $0.type == type }.map { bytes.part($0.data) }
    }

    /// 0 and 4 are gray.
    var pngColorType: Int? {
        pngChunk(PNGChunkType.ihdr).flatMap { $0.byte(at: 9) }.map(Int.init)
    }

    private var pngProfile: [UInt8] {
        guard let chunk = pngChunk(PNGChunkType.iccp), let end = chunk.firstIndex(of: 0) else {
            return []
        }
        // The compression method follows the name.
        let packed = UnsafeRawBufferPointer(rebasing: chunk[(end + 1)...].dropFirst())
        return Inflation.zlib(packed, bytesMax: Self.profileBytesMax)
    }

    // MARK: JPEG

    /// The segments before the pixels.
    private var jpegHead: [JPEGSegments.Segment] {
        guard format == .jpeg else { return [] }
        return JPEGSegments(bytes).prefix { $0.marker != JPEGMarker.sos }
    }

    var jpegComponents: Int? {
        jpegHead.first { JPEGMarker.isFrame($0.marker) }
            .flatMap { bytes.byte(at: $0.data.lowerBound + 5) }.map(Int.init)
    }

    var hasAdobeMarker: Bool {
        jpegHead.contains {
            $0.marker == JPEGMarker.app14 && bytes.has("Adobe", at: $0.data.lowerBound)
        }
    }

    /// The orientation in each EXIF segment, 1 if there is none.
    var jpegOrientations: [Int] {
        jpegHead.filter {
            $0.marker == JPEGMarker.app1 && bytes.has("Exif\0", at: $0.data.lowerBound)
        }.map { segment in
            let block = bytes.part(segment.data.dropFirst(6))
            return TIFFDirectory.all(in: block).first?[274].flatMap { 1...8 ~= $0 ? $0 : nil } ?? 1
        }
    }

    private var jpegProfile: Range<Int>? {
        let name: StaticString = "ICC_PROFILE\0"
        return jpegHead.first {
            $0.marker == JPEGMarker.app2 && bytes.has(name, at: $0.data.lowerBound)
        }.map { $0.data.dropFirst(14) }
    }

    // MARK: WebP and HEIF

    private func webpChunk(_ tag: StaticString) -> Range<Int>? {
        WebPChunks(bytes).first { bytes.has(tag, at: $0.start) }?.data
    }

    private var heifProperties: ISOBoxes? { ISOBoxes.itemProperties(of: bytes) }

    /// Primaries and transfer of `nclx`, by number.
    var heifNumbers: (primaries: Int, transfer: Int)? {
        heifProperties?.first { box in
            bytes.has("colr", at: box.type) && bytes.has("nclx", at: box.data.lowerBound)
        }.flatMap { box in
            guard let primaries = bytes.bigEndian16(at: box.data.lowerBound + 4),
                let transfer = bytes.bigEndian16(at: box.data.lowerBound + 6)
            else { return nil }
            return (primaries, transfer)
        }
    }

    var heifProfile: Range<Int>? {
        heifProperties?.first { box in
            bytes.has("colr", at: box.type)
                && (bytes.has("prof", at: box.data.lowerBound)
                    || bytes.has("rICC", at: box.data.lowerBound))
        }.map { $0.data.dropFirst(4) }
    }

    /// Whether the profile is unusable for these pixels.
    var heifProfileIsAside: Bool {
        guard let range = heifProfile else { return false }
        let space = profileSpace
        return ICCOutline.fault(in: bytes.part(range)) != nil
            || space != "RGB " && (space != "GRAY" || samples != .gray)
    }

    /// Whether no coded item has chroma: by av1C (AV1-ISOBMFF, 2.3.3) and hvcC (ISO/IEC 14496-15, 8.3.3.1).
    private var isMonochrome: Bool? {
        let configurations = (heifProperties.map(Array.init) ?? []).compactMap { box -> Bool? in
            if bytes.has("av1C", at: box.type) {
                return bytes.byte(at: box.data.lowerBound + 2).map { $0 & 0x10 != 0 }
            }
            guard bytes.has("hvcC", at: box.type) else { return nil }
            return bytes.byte(at: box.data.lowerBound + 16).map { $0 & 3 == 0 }
        }
        return configurations.isEmpty ? nil : configurations.allSatisfy(\.self)
    }

    // MARK: SVG

    /// Whether a text occurs anywhere in the drawing.
    func svgHas(_ text: StaticString) -> Bool {
        guard format == .svg else { return false }
        let first = text.utf8Start[0]
        var start = 0
        while let found = bytes[start...].firstIndex(of: first) {
            if bytes.has(text, at: found) { return true }
            start = found + 1
        }
        return false
    }

    /// The embedded pictures: the stated type, and the first bytes.
    var svgPictures: [(type: String, head: [UInt8])] {
        guard format == .svg else { return [] }
        return XMLTags(bytes).flatMap { tag -> [(type: String, head: [UInt8])] in
            guard tag.kind != .end, isNamed(tag.name, "image") || isNamed(tag.name, "feImage")
            else { return [] }
            return XMLAttributes(bytes, of: tag).compactMap { name, value in
                isNamed(name, "href") ? embedded(bytes.part(value)) : nil
            }
        }
    }

    /// Whether a length inside the drawing, or its size without a viewBox, is in a unit whose size has changed; style
    /// sheets are not checked.
    var svgHasUnits: Bool {
        guard format == .svg else { return false }
        var isRoot = true
        for tag in XMLTags(bytes) where tag.kind != .end {
            let attributes = XMLAttributes(bytes, of: tag)
            let hasBox = isRoot && attributes.contains { isNamed($0.name, "viewBox") }
            isRoot = false
            if !hasBox, attributes.contains(where: { hasUnit($0.name, $0.value) }) { return true }
        }
        return false
    }

    /// Whether the value of a length, or of a style, has a number with one of the units.
    private func hasUnit(_ name: Range<Int>, _ value: Range<Int>) -> Bool {
        guard Self.lengths.contains(where: { isNamed(name, $0) }) else { return false }
        var (at, isStart) = (value.lowerBound, true)
        while at < value.upperBound {
            guard isStart, Self.isDigit(bytes[at]) else {
                isStart = Self.isBeforeNumber(bytes[at])
                at += 1
                continue
            }
            let rest = bytes[at..<value.upperBound].drop(while: Self.isDigit)
            let unit = rest.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
            if Self.units.contains(where: { isNamed(unit.startIndex..<unit.endIndex, $0) }) {
                return true
            }
            (at, isStart) = (unit.endIndex, false)
        }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ".")
    }

    /// Numbers within a word follow other characters.
    private static func isBeforeNumber(_ byte: UInt8) -> Bool {
        XMLTags.isSpace(byte) || [":", ",", "-", "+"].contains(UnicodeScalar(byte))
    }

    private static let lengths: [StaticString] = [
        "style", "width", "height", "x", "y", "r", "rx", "ry", "cx", "cy", "x1", "y1", "x2", "y2",
        "dx", "dy", "font-size", "stroke-width",
    ]
    private static let units: [StaticString] = ["mm", "cm", "q", "in", "pt", "pc"]

    /// Whether an attribute positions several letters of a text.
    var svgPlacesLetters: Bool {
        guard format == .svg else { return false }
        return XMLTags(bytes).contains { tag in
            guard tag.kind == .start, isNamed(tag.name, "text") || isNamed(tag.name, "tspan") else {
                return false
            }
            return XMLAttributes(bytes, of: tag).contains { name, value in
                (["x", "y", "dx", "dy"] as [StaticString]).contains { isNamed(name, $0) }
                    && bytes.part(value).split { $0 == UInt8(ascii: ",") || XMLTags.isSpace($0) }
                        .count > 1
            }
        }
    }

    /// Whether a symbol may reach beyond its edge.
    var svgHasOpenSymbol: Bool {
        guard format == .svg else { return false }
        return XMLTags(bytes).contains { tag in
            tag.kind == .start && isNamed(tag.name, "symbol")
                && XMLAttributes(bytes, of: tag).contains { name, value in
                    let isOwn = isNamed(name, "overflow")
                    guard isOwn || isNamed(name, "style") else { return false }
                    let text = String(decoding: bytes.part(value).prefix(1024), as: UTF8.self)
                        .filter { !$0.isWhitespace }
                    let open = ["visible", "auto"].map { isOwn ? $0 : "overflow:\($0)" }
                    return open.contains { isOwn ? text == $0 : text.contains($0) }
                }
        }
    }

    private func isNamed(_ range: Range<Int>, _ name: StaticString) -> Bool {
        range.count == name.utf8CodeUnitCount && bytes.has(name, at: range.lowerBound)
    }

    /// `data:image/png;base64,` with its data (RFC 2397).
    private func embedded(_ address: UnsafeRawBufferPointer) -> (type: String, head: [UInt8])? {
        let start = address.firstIndex { !XMLTags.isSpace($0) } ?? 0
        let head = String(decoding: address[start...].prefix(100), as: UTF8.self)
        guard head.lowercased().hasPrefix("data:"), let comma = address.firstIndex(of: 0x2C),
            comma - start < 100
        else { return nil }
        let words = String(decoding: address[(start + 5)..<comma], as: UTF8.self).lowercased()
            .split(separator: ";", omittingEmptySubsequences: false)
        guard words.last == "base64" else { return nil }
        let text = Array(address[(comma + 1)...].prefix(100))
        return (String(words[0]), Base64.decoded(text) ?? [])
    }
}

extension SuspectPicture {
    // MARK: Checks for single faults

    /// The size of the picture, or of the screen of a GIF.
    var size: PixelSize? { PictureOutline.read(source)?.size }

    /// Whether a part of the first frame of a GIF lies outside its screen.
    var gifFrameExceedsScreen: Bool {
        GIFBlocks.canvasSize(bytes) != GIFBlocks.screenSize(bytes)
    }

    /// Whether a frame of a GIF before the last one has the reserved disposal 4.
    var gifRestoresByReservedDisposal: Bool {
        guard format == .gif else { return false }
        var (next, shown) = (false, false)
        var blocks = GIFBlocks(bytes)
        while let block = blocks.next() {
            switch block {
            case .extension(label: 0xF9, let data):
                next = (bytes.byte(at: data + 1) ?? 0) >> 2 & 7 == 4
            case .extension: break
            case .image:
                if shown { return true }
                (shown, next) = (next, false)
            }
        }
        return false
    }

    /// Whether earlier releases drew an embedded picture: of a type that librsvg reads, under its correct name.
    func isDrawnBefore(_ type: String, _ head: [UInt8]) -> Bool {
        let found = head.withUnsafeBytes { bytes -> String? in
            if bytes.bigEndian32(at: 0) == 0x8950_4E47 { return "image/png" }
            return bytes.bigEndian16(at: 0) == 0xFFD8 ? "image/jpeg" : nil
        }
        return found == type || type == "image/svg+xml"
    }
}
