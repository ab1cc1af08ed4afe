import Foundation
import StickerCodecs
import StickerDrawing
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

// Within the other suite, so that only one test draws at a time.
extension TextDrawingTests {
    /// Small drawings beside what Chromium makes of them; see `Fixtures/references.py`.
    struct SVGReferenceTests {
        /// A difference that can be seen is one whose cause is known, and a warning names it.
        @Test func everyDrawingLooksAsInChromiumOrItsWarningNamesTheCause() throws {
            let folder = "Tests/Picture/DrawingTests/Fixtures"
            let drawings = ReferenceDrawing.list(
                String(decoding: try Repository.data("\(folder)/drawings.txt"), as: UTF8.self))
            let sheet = try ReferenceDrawing.sheet(
                [UInt8](try Repository.data("\(folder)/references.png")))
            #expect(drawings.count >= 300)

            for (index, drawing) in drawings.enumerated() {
                let drawn = try drawing.draw()
                let difference = ReferenceDrawing.difference(drawn.pixels, sheet, tile: index)

                let warnings = drawn.warnings
                guard let cause = drawing.cause else {
                    #expect(!difference.isVisible, "\(drawing.name): \(difference)")
                    continue
                }
                #expect(!cause.isEmpty, "\(drawing.name) names no cause")
                #expect(warnings.contains(cause), "\(drawing.name): \(warnings)")
            }
        }

        /// An emoji is reported, and the letters beside it are where they are without it.
        @Test(arguments: ["👋", "❤️", "👩‍👩‍👧‍👦", "🏳️‍🌈"])
        func emojiLeavesTheLettersWhereTheyAre(emoji: String) throws {
            func drawn(_ text: String) throws -> (letters: [UInt8], warnings: String) {
                let drawing = ReferenceDrawing(
                    name: "", cause: nil,
                    document: """
                        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"
                        font-family="Inter"><text x="2" y="30" font-size="20">\(text)</text></svg>
                        """)
                let drawn = try drawing.draw()
                let letters = drawn.pixels.withUnsafeBytes { Array($0) }
                return (letters, drawn.warnings)
            }
            let (letters, beside) = (try drawn("Ab"), try drawn("Ab\(emoji)"))
            let apart = try drawn("A<tspan x='30'>b</tspan>")

            #expect(letters.warnings.isEmpty)
            #expect(beside.warnings.contains("emoji in text"))
            #expect(beside.letters == letters.letters && letters.letters != apart.letters)
        }
    }
}

/// A drawing of `drawings.txt`.
private struct ReferenceDrawing {
    let name: String
    /// Words of the warning that says why it looks different; `nil` if it must not.
    let cause: String?
    let document: String

    private static let head =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        + "viewBox=\"0 0 64 64\" font-family=\"Inter\" font-size=\"20\">"

    static func list(_ text: String) -> [ReferenceDrawing] {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        var pictures: [Substring: Substring] = [:]
        for line in lines where line.hasPrefix("@") {
            let parts = line.dropFirst().split(separator: " ", maxSplits: 1)
            pictures[parts[0]] = parts[1]
        }
        return lines.filter { !$0.hasPrefix("@") }.compactMap { line in
            guard let colon = line.firstRange(of: ": ") else { return nil }
            let label = line[..<colon.lowerBound].split(separator: "!", maxSplits: 1)
            let content = String(line[colon.upperBound...]).replacing(/\{\{([a-z0-9-]+)\}\}/) {
                pictures[$0.output.1] ?? ""
            }
            let isWhole = content.firstMatch(of: /^<(\?|!|[a-z:]*svg[^>]*xmlns)/) != nil
            return ReferenceDrawing(
                name: String(label[0]), cause: label.count > 1 ? String(label[1]) : nil,
                document: isWhole ? content : "\(head)\(content)</svg>")
        }
    }

    // MARK: Pixels

    private static let side = 64
    private static let columns = 20

    struct Drawn: ~Copyable {
        let pixels: PixelBuffer
        let warnings: String
    }

    /// The picture as the references are made: large, and then averaged.
    func draw() throws -> Drawn {
        let decoder = try SVGDecoder(
            SourceBytes(Array(document.utf8)), limits: DecodeLimits(), fonts: try TestFonts.read())
        let warnings = decoder.header.warnings.map(\.detail).joined(separator: "; ")
        var rows: [[UInt8]] = []
        let size = PixelSize(width: 4 * Self.side, height: 4 * Self.side)
        do throws(CodecError) {
            try decoder.decode(size: size) { rows.append(Array($0)) }
        } catch {
            // Nothing can be seen.
            guard error.code == .noFrames else { throw error }
            return Drawn(
                pixels: PixelBuffer(size: PixelSize(width: Self.side, height: Self.side)),
                warnings: warnings)
        }
        let pixels = PixelBuffer.drawn(PixelSize(width: Self.side, height: Self.side)) { x, y in
            var sum = SIMD4<Double>.zero
            for row in rows[(4 * y)..<(4 * y + 4)] {
                for place in stride(from: 16 * x, to: 16 * x + 16, by: 4) {
                    let alpha = Double(row[place + 3])
                    sum += SIMD4(
                        Double(row[place]) * alpha, Double(row[place + 1]) * alpha,
                        Double(row[place + 2]) * alpha, alpha)
                }
            }
            guard sum.w > 0 else { return .zero }
            let straight = SIMD4(sum.x / sum.w, sum.y / sum.w, sum.z / sum.w, sum.w / 16)
            return SIMD4<UInt8>(straight, rounding: .toNearestOrAwayFromZero)
        }
        return Drawn(pixels: pixels, warnings: warnings)
    }

    static func sheet(_ file: [UInt8]) throws -> PixelBuffer {
        let decoder = try PNGDecoder(SourceBytes(file), limits: DecodeLimits())
        var rows: [[UInt8]] = []
        try decoder.decode(size: decoder.header.size) { rows.append(Array($0)) }
        return PixelBuffer.drawn(decoder.header.size) { x, y in
            SIMD4(rows[y][4 * x], rows[y][4 * x + 1], rows[y][4 * x + 2], rows[y][4 * x + 3])
        }
    }

    struct Difference: CustomStringConvertible {
        /// Levels, on the ground on which more are seen.
        var mean = 0.0
        /// That of the worst of 8 by 8 parts.
        var worst = 0.0

        var isVisible: Bool { mean >= 3 || worst >= 24 }
        var description: String { "mean \(Int(mean)), worst \(Int(worst)) levels" }
    }

    /// How far a picture is from a tile of the sheet, on white and on black.
    static func difference(
        _ pixels: borrowing PixelBuffer, _ sheet: borrowing PixelBuffer, tile: Int
    ) -> Difference {
        var result = Difference()
        let (left, top) = (tile % columns * side, tile / columns * side)
        for ground in [0.0, 255] {
            var parts = [Double](repeating: 0, count: 64)
            for y in 0..<side {
                for x in 0..<side {
                    let a = laid(pixels[x, y], on: ground)
                    let b = laid(sheet[left + x, top + y], on: ground)
                    let distance = a - b
                    parts[y / 8 * 8 + x / 8] +=
                        (abs(distance.x) + abs(distance.y) + abs(distance.z)) / 3 / 64
                }
            }
            result.mean = max(result.mean, parts.reduce(0, +) / 64)
            result.worst = max(result.worst, parts.max() ?? 0)
        }
        return result
    }

    private static func laid(_ pixel: SIMD4<UInt8>, on ground: Double) -> SIMD3<Double> {
        let alpha = Double(pixel.w) / 255
        return SIMD3(Double(pixel.x), Double(pixel.y), Double(pixel.z)) * alpha
            + ground * (1 - alpha)
    }
}
