import StickerContainers
import StickerRaster

/// The one EXIF value that changes pixels.
enum EXIF {
    /// Reads tag 0x0112 from IFD0 of a TIFF block (TIFF 6.0, EXIF 2.32). Anything invalid means `.up`.
    ///
    /// Some programs keep the prefix that only JPEG requires.
    static func orientation(_ block: UnsafeRawBufferPointer) -> Orientation {
        let bytes = block.part((block.has("Exif\0\0") ? 6 : 0)..<block.count)
        let isLittle = bytes.has("II")
        guard isLittle || bytes.has("MM") else { return .up }
        func short(_ offset: Int) -> Int? {
            isLittle ? bytes.littleEndian16(at: offset) : bytes.bigEndian16(at: offset)
        }
        func long(_ offset: Int) -> Int? {
            isLittle ? bytes.littleEndian32(at: offset) : bytes.bigEndian32(at: offset)
        }
        guard short(2) == 42, let directory = long(4), let entries = short(directory) else {
            return .up
        }
        for index in 0..<entries {
            let entry = directory + 2 + index * 12
            guard let tag = short(entry) else { return .up }
            guard tag == 0x0112 else { continue }
            guard short(entry + 2) == 3, long(entry + 4) == 1, let value = short(entry + 8) else {
                return .up
            }
            return Orientation(rawValue: value) ?? .up
        }
        return .up
    }
}
