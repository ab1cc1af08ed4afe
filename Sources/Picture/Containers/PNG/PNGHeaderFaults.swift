import StickerValues

/// The faults of the header chunk of a finished PNG.
enum PNGHeaderFaults {
    /// The faults of `header`, the data of IHDR, of a picture that must have `size`.
    static func clauses(_ header: UnsafeRawBufferPointer, size: PixelSize) -> [String] {
        guard header.count == 13, let width = header.bigEndian32(at: 0),
            let height = header.bigEndian32(at: 4)
        else { return ["IHDR has \(header.count) bytes instead of 13"] }
        var clauses: [String] = []
        let found = PixelSize(width: width, height: height)
        if found != size { clauses.append("the picture is \(found) instead of \(size)") }
        if !depths(ofColorType: header[9]).contains(header[8]) {
            clauses.append("\(header[8]) bits do not go with colour type \(header[9])")
        }
        if header[10..<13].contains(where: { $0 != 0 }) {
            clauses.append("compression, filter or interlace method is not 0")
        }
        return clauses
    }

    /// PNG specification, table 11.1.
    private static func depths(ofColorType type: UInt8) -> [UInt8] {
        switch type {
        case 0: [1, 2, 4, 8, 16]
        case 3: [1, 2, 4, 8]
        case 2, 4, 6: [8, 16]
        default: []
        }
    }
}
