package import StickerValues

/// The boxes of a HEIF file that describe its contents (ISO/IEC 23008-12), read without a decoder.
package struct HEIFOutline {
    /// The largest size of an item of the file.
    package private(set) var size: PixelSize
    /// Samples of the first track of a sequence; 1 in a still.
    package private(set) var frames = 1

    /// The format by the brands of the first box: AVIF, HEIC, or neither.
    package static func format(_ bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        guard bytes.has("ftyp", at: 4), let count = bytes.bigEndian32(at: 0) else { return nil }
        // Four bytes behind the first brand are its version.
        let brands = [8] + stride(from: 16, to: min(count, bytes.count, brandBytesMax) - 3, by: 4)
        func has(_ names: [StaticString], _ places: some Sequence<Int>) -> Bool {
            places.contains { place in names.contains { bytes.has($0, at: place) } }
        }
        if has(avif, [8]) { return .avif }
        if has(heic, [8]) { return .heic }
        if has(avif, brands) { return .avif }
        return has(heic, brands) ? .heic : nil
    }

    /// More brands than any file has.
    private static let brandBytesMax = 1024
    private static let avif: [StaticString] = ["avif", "avis"]
    private static let heic: [StaticString] = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs",
    ]

    /// The offset after the last box, if all are complete.
    package static func end(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var boxes = ISOBoxes(bytes, in: 0..<bytes.count)
        while boxes.next() != nil {}
        return boxes.isAtEnd ? bytes.count : nil
    }

    /// `nil` if no item has a size.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard let properties = ISOBoxes.itemProperties(of: bytes) else { return nil }
        var largest: PixelSize?
        for box in properties where bytes.has("ispe", at: box.type) {
            // Four bytes of version and flags come first.
            guard let width = bytes.bigEndian32(at: box.data.lowerBound + 4),
                let height = bytes.bigEndian32(at: box.data.lowerBound + 8), box.data.count >= 12
            else { continue }
            let size = PixelSize(width: width, height: height)
            if size.pixelCount >= largest?.pixelCount ?? 0 { largest = size }
        }
        guard let largest else { return nil }
        size = largest
        frames = Self.samples(ISOBoxes(bytes, in: 0..<bytes.count), bytes) ?? 1
    }

    /// How many samples the first track has.
    private static func samples(_ file: ISOBoxes, _ bytes: UnsafeRawBufferPointer) -> Int? {
        var box = file.first("moov")
        for type in ["trak", "mdia", "minf", "stbl", "stsz"] as [StaticString] {
            guard let data = box?.data else { return nil }
            box = ISOBoxes(bytes, in: data).first(type)
        }
        return box.flatMap { bytes.bigEndian32(at: $0.data.lowerBound + 8) }.map { max(1, $0) }
    }
}
