/// ICC profiles built tag by tag.
package struct TestICC {
    /// `mntr` for screens.
    package var kind: String
    /// The device that it describes, and its colours.
    package var spaces: String
    /// Four letters and the data of each tag.
    package var tags: [(name: String, data: [UInt8])]
    /// More tags, which share the data of the first one.
    package var aliases: [String] = []

    package init(
        kind: String = "mntr", spaces: String = "RGB XYZ ", tags: [(String, [UInt8])]
    ) {
        (self.kind, self.spaces, self.tags) = (kind, spaces, tags)
    }

    package var bytes: [UInt8] {
        var offset = 132 + 12 * (tags.count + aliases.count)
        let first = offset
        var table: [UInt8] = []
        var data: [UInt8] = []
        for tag in tags {
            table += Array(tag.name.utf8) + Self.long(offset) + Self.long(tag.data.count)
            data += tag.data
            offset += tag.data.count
        }
        for name in aliases {
            table += Array(name.utf8) + Self.long(first) + Self.long(tags[0].data.count)
        }
        return header(bytes: offset) + Self.long(tags.count + aliases.count) + table + data
    }

    private func header(bytes: Int) -> [UInt8] {
        let start = Self.long(bytes) + [0, 0, 0, 0, 4, 0, 0, 0] + Array("\(kind)\(spaces)".utf8)
        let date = [UInt8](repeating: 0, count: 12)
        return start + date + Array("acsp".utf8) + [UInt8](repeating: 0, count: 88)
    }

    /// A curve.
    package static func curve(entries: Int) -> [UInt8] {
        Array("curv".utf8) + [0, 0, 0, 0] + long(entries)
            + [UInt8](repeating: 9, count: 2 * entries)
    }

    /// An `mft1` table.
    package static func table8(_ input: Int, _ output: Int, grid: Int) -> [UInt8] {
        let nodes = Array(repeating: grid, count: input).reduce(1, *)
        let count = 256 * (input + output) + nodes * output
        return head("mft1", input, output, grid) + [UInt8](repeating: 7, count: count)
    }

    /// An `mft2` table.
    package static func table16(
        _ input: Int, _ output: Int, grid: Int, entries: Int
    ) -> [UInt8] {
        let nodes = Array(repeating: grid, count: input).reduce(1, *)
        let count = entries * (input + output) + nodes * output
        let entries = [UInt8(entries >> 8), UInt8(entries & 0xFF)]
        return head("mft2", input, output, grid) + entries + entries
            + [UInt8](repeating: 7, count: 2 * count)
    }

    /// An `mAB ` chain of curves, a grid of three channels that declares `points`, and curves.
    package static func chain(grid: Int, points: UInt8) -> [UInt8] {
        let curves = Array(repeating: curve(entries: 2), count: 3).joined()
        let table =
            Array(repeating: points, count: 3) + [UInt8](repeating: 0, count: 13) + [1, 0, 0, 0]
            + [UInt8](repeating: 5, count: 3 * grid * grid * grid)
        let tableStart = 32 + curves.count
        let offsets = [32, 0, 0, tableStart, tableStart + table.count].flatMap(long)
        return Array("mAB ".utf8) + [0, 0, 0, 0, 3, 3, 0, 0] + offsets + curves + table + curves
    }

    /// Four bytes, the most significant first.
    package static func long(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func head(_ type: String, _ input: Int, _ output: Int, _ grid: Int) -> [UInt8] {
        Array(type.utf8) + [0, 0, 0, 0, UInt8(input), UInt8(output), UInt8(grid)]
            + [UInt8](repeating: 0, count: 37)
    }
}
