import Foundation
import StickerCodecs
import StickerConfiguration
import StickerDrawing
import StickerRaster
import StickerSmart
import StickerTestSupport
import StickerValues

/// A template that comes with stickerd.
struct ArtTemplate {
    let name: String
    let template: SmartTemplate

    static func all() throws -> [ArtTemplate] {
        try ShippedTemplates.files(in: Repository.path("deploy/smart")).map { file in
            let bytes = try Data(contentsOf: URL(filePath: file.path))
            return ArtTemplate(name: file.name, template: try SmartTemplate(Array(bytes)))
        }
    }

    static func named(_ name: String) throws -> ArtTemplate? {
        try all().first { $0.name == name }
    }

    /// Draws one style.
    ///
    /// - Parameters:
    ///   - style: its name.
    ///   - values: texts for placeholders; one that is missing is left empty.
    ///   - part: elements that are left out.
    /// - Returns: the pixels.
    /// - Throws: `CodecError`.
    func draw(
        _ style: String, _ values: [Placeholder: String], without part: Regex<Substring>? = nil
    ) throws -> DrawnTemplate {
        let svg = template.filled(values, style: style)
        guard let part else { return try DrawnTemplate(svg) }
        let rest = String(decoding: svg, as: UTF8.self).replacing(part, with: "")
        return try DrawnTemplate(Array(rest.utf8))
    }
}

/// The pixels of a filled template, at half the size of stickers.
struct DrawnTemplate {
    /// The place of the square, in pixels; a pixel is two units of the drawing.
    static let side = 256

    /// Row-major, straight alpha.
    let pixels: [SIMD4<UInt8>]
    let warnings: [String]

    init(_ svg: [UInt8]) throws {
        let decoder = try SVGDecoder(
            SourceBytes(svg), limits: DecodeLimits(), fonts: try TestFonts.read())
        var pixels: [SIMD4<UInt8>] = []
        do throws(CodecError) {
            try decoder.decode(size: PixelSize(width: Self.side, height: Self.side)) { row in
                for place in stride(from: 0, to: 4 * Self.side, by: 4) {
                    pixels.append(
                        SIMD4(row[place], row[place + 1], row[place + 2], row[place + 3]))
                }
            }
        } catch {
            // Nothing can be seen.
            guard error.code == .noFrames else { throw error }
            pixels = Array(repeating: .zero, count: Self.side * Self.side)
        }
        self.pixels = pixels
        warnings = decoder.header.warnings.map(\.detail)
    }

    subscript(x: Int, y: Int) -> SIMD4<UInt8> { pixels[y * Self.side + x] }

    /// Where it differs from another.
    func difference(from other: DrawnTemplate) -> Set<Int> {
        Set(pixels.indices.filter { pixels[$0] != other.pixels[$0] })
    }

    /// Whether nothing is drawn within `width` pixels of the edge.
    func isClear(within width: Int) -> Bool {
        let inner = width..<(Self.side - width)
        return pixels.indices.allSatisfy { index in
            let (y, x) = index.quotientAndRemainder(dividingBy: Self.side)
            return inner.contains(x) && inner.contains(y) || pixels[index].w == 0
        }
    }

    /// The pixels at most `distance` columns and rows away from one of `area`.
    static func grown(_ area: Set<Int>, by distance: Int) -> Set<Int> {
        var grown: Set<Int> = []
        for index in area {
            let (y, x) = index.quotientAndRemainder(dividingBy: side)
            for row in max(0, y - distance)...min(side - 1, y + distance) {
                for column in max(0, x - distance)...min(side - 1, x + distance) {
                    grown.insert(row * side + column)
                }
            }
        }
        return grown
    }
}

extension SIMD4<UInt8> {
    /// Whether it is part of the white border, or lies outside.
    var isBorder: Bool { w == 0 || Swift.min(x, y, z) > 250 }

    /// That of WCAG 2.2, between 1 and 21; alpha is left out.
    func contrast(to other: SIMD4<UInt8>) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (Swift.max(one, two) + 0.05) / (Swift.min(one, two) + 0.05)
    }

    private var luminance: Double {
        func linear(_ level: UInt8) -> Double {
            let part = Double(level) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(x) + 0.7152 * linear(y) + 0.0722 * linear(z)
    }
}
