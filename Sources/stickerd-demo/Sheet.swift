import FoundationEssentials
import StickerCodecs
import StickerModel
import StickerRaster

/// The stickers of a library side by side, on light and on dark ground.
struct Sheet {
    private static let gap = 24
    /// The folder with the published files.
    let out: String

    /// The sheet as a PNG file.
    func png() throws -> [UInt8] {
        var tiles: [Tile] = []
        for category in try read(LibraryIndex.self, "index.json").categories {
            let manifest = try read(Manifest.self, category.manifestURL)
            for sticker in manifest.stickers { try tiles.append(tile(of: sticker, category)) }
        }
        return try PNGEncoder.encode(laidOut(tiles))
    }

    /// A small still, as it lies on the disk.
    private struct Tile {
        var file: [UInt8]
        var side: Int
    }

    private func tile(
        of sticker: ManifestSticker, _ category: LibraryIndex.Category
    ) throws -> Tile {
        let stills = sticker.files.filter { $0.role == .thumbnail && $0.format == .webp }
        guard let largest = stills.max(by: { $0.width < $1.width }) else {
            throw Missing(description: "\(sticker.identifier) has no WebP thumbnail")
        }
        let data = try Data(
            contentsOf: URL(filePath: "\(out)/\(category.identifier)/\(largest.url)"))
        return Tile(file: [UInt8](data), side: largest.width)
    }

    private func laidOut(_ tiles: [Tile]) throws -> PixelBuffer {
        let side = tiles.map(\.side).max() ?? 1
        let pitch = side + Self.gap
        var sheet = PixelBuffer(
            size: PixelSize(width: tiles.count * pitch + Self.gap, height: 2 * pitch + Self.gap))
        fill(&sheet)
        for (column, tile) in tiles.enumerated() {
            let picture = try WebPDecoder.still(tile.file)
            for row in 0..<2 {
                compose(
                    picture, at: (Self.gap + column * pitch, Self.gap + row * pitch), on: &sheet)
            }
        }
        return sheet
    }

    private func fill(_ sheet: inout PixelBuffer) {
        for y in 0..<sheet.size.height {
            let level: UInt8 = y < sheet.size.height / 2 ? 245 : 35
            for x in 0..<sheet.size.width { sheet[x, y] = SIMD4(level, level, level, 255) }
        }
    }

    private func compose(
        _ picture: borrowing PixelBuffer, at place: (x: Int, y: Int), on sheet: inout PixelBuffer
    ) {
        for y in 0..<picture.size.height {
            for x in 0..<picture.size.width {
                let above = SIMD4<Int>(truncatingIfNeeded: picture[x, y])
                let below = SIMD4<Int>(truncatingIfNeeded: sheet[place.x + x, place.y + y])
                var mixed = (above &* above[3] &+ below &* (255 - above[3])) / 255
                mixed[3] = 255
                sheet[place.x + x, place.y + y] = SIMD4<UInt8>(truncatingIfNeeded: mixed)
            }
        }
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: "\(out)/\(path)")))
    }
}

/// Something that should be in the library.
private struct Missing: Error, CustomStringConvertible {
    let description: String
}
