/// The chunk types that matter here; libpng handles the others.
package enum PNGChunkType {
    package static let ihdr = 0x4948_4452
    package static let plte = 0x504C_5445
    package static let trns = 0x7452_4E53
    package static let idat = 0x4944_4154
    package static let iend = 0x4945_4E44
    package static let iccp = 0x6943_4350
    package static let srgb = 0x7352_4742
    package static let cicp = 0x6349_4350
    package static let chrm = 0x6348_524D
    package static let gama = 0x6741_4D41
    package static let exif = 0x6558_4966
    package static let actl = 0x6163_544C
    package static let fctl = 0x6663_544C
    package static let fdat = 0x6664_4154
    package static let cgbi = 0x4367_4249

    /// Whether a decoder that does not know the type must give up: its first letter is upper-case.
    package static func isCritical(_ type: Int) -> Bool { type & 0x2000_0000 == 0 }

    /// Whether it is a type of four letters that a decoder may ignore.
    package static func isAncillary(_ type: Int) -> Bool {
        !isCritical(type)
            && [24, 16, 8, 0].allSatisfy { shift in
                let letter = UInt8(truncatingIfNeeded: type >> shift) | 0x20
                return UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter
            }
    }

    /// The four letters of a type, quoted and escaped.
    package static func name(_ type: Int) -> String {
        let letters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: type >> $0) }
        return String(decoding: letters, as: UTF8.self).debugDescription
    }
}
