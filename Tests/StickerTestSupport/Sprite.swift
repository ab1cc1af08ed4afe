public import StickerValues

/// A sprite of 16x16 pixels as an artist draws one: an outline, two shades and an eye, on nothing.
public enum Sprite {
    /// Its size.
    public static let size = PixelSize(width: 16, height: 16)
    /// How many colours show.
    public static let colors = 4

    private static let drawing = [
        "................", ".....######.....", "...##oooooo##...", "..#oooooooooo#..",
        "..#oo#oooo#oo#..", ".#ooo#oooo#ooo#.", ".#oooooooooooo#.", ".#oooooooooooo#.",
        ".#oo+oooooo+oo#.", ".#oox++++++xoo#.", ".#ooo++++++oox#.", "..#oooooooooo#..",
        "..#xoooooooox#..", "...##xxxxxx##...", ".....######.....", "................",
    ]

    /// The pixel in column `x` of row `y`: red, green, blue, alpha.
    public static func pixel(_ x: Int, _ y: Int) -> SIMD4<UInt8> {
        let row = Array(drawing[y].utf8)
        return switch row[x] {
        case UInt8(ascii: "#"): SIMD4(30, 20, 40, 255)
        case UInt8(ascii: "o"): SIMD4(250, 210, 60, 255)
        case UInt8(ascii: "x"): SIMD4(200, 140, 40, 255)
        case UInt8(ascii: "+"): SIMD4(180, 30, 40, 255)
        default: .zero
        }
    }

    /// The same, turned over.
    public static func mirrored(_ x: Int, _ y: Int) -> SIMD4<UInt8> {
        pixel(x, size.height - 1 - y)
    }
}
