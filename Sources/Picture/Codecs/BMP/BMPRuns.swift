import StickerContainers
import StickerValues

/// The palette indices of a bitmap in runs (BI_RLE8 and BI_RLE4), decoded as a whole.
///
/// A run that is longer than its row is cut, as everywhere; one above the top row is damage.
struct BMPRuns {
    private let size: PixelSize
    private let memory: LargeMemory

    init(_ info: BMPHeader, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        size = info.size
        memory = try LargeMemory(zeros: size.pixelCount * MemoryLayout<UInt16>.size, .bmp)
        memory.bytes.initializeMemory(as: UInt8.self, repeating: 0xFF)  // BMPPalette.leftOut
        var reader = Reader(bytes, at: info.pixelStart, isNarrow: info.bits == 4)
        try reader.fill(self)
    }

    /// The indices of row `y` from the top.
    func row(_ y: Int) -> UnsafeMutableBufferPointer<UInt16> {
        let all = memory.bytes.assumingMemoryBound(to: UInt16.self)
        return UnsafeMutableBufferPointer(
            rebasing: all[(y * size.width)..<((y + 1) * size.width)])
    }

    /// The bytes of the runs, from the bottom row up.
    private struct Reader {
        private let bytes: UnsafeRawBufferPointer
        private var offset: Int
        private let isNarrow: Bool
        private var (x, y) = (0, 0)

        init(_ bytes: UnsafeRawBufferPointer, at offset: Int, isNarrow: Bool) {
            self.bytes = bytes
            self.offset = offset
            self.isNarrow = isNarrow
        }

        mutating func fill(_ runs: BMPRuns) throws(CodecError) {
            while true {
                // Some programs omit the end mark after a complete picture.
                if offset >= bytes.count, y >= runs.size.height { return }
                if offset >= bytes.count, y == runs.size.height - 1, x >= runs.size.width { return }
                let (count, value) = (try take(), try take())
                switch (count, value) {
                case (0, 0): (x, y) = (0, y + 1)
                case (0, 1): return
                case (0, 2):
                    x += Int(try take())
                    y += Int(try take())
                case (0, let literal): try copy(Int(literal), runs)
                default: try repeats(Int(count), value, runs)
                }
            }
        }

        private mutating func take() throws(CodecError) -> UInt8 {
            guard let byte = bytes.byte(at: offset) else {
                throw CodecError(.truncated, .bmp, "the file ends before its runs do")
            }
            offset += 1
            return byte
        }

        private mutating func repeats(
            _ count: Int, _ value: UInt8, _ runs: BMPRuns
        ) throws(CodecError) {
            let row = try row(runs)
            for index in 0..<count {
                put(isNarrow ? nibble(value, index) : value, into: row)
            }
        }

        /// Indices one by one, padded to an even number of bytes.
        private mutating func copy(_ count: Int, _ runs: BMPRuns) throws(CodecError) {
            let row = try row(runs)
            let stored = isNarrow ? (count + 1) / 2 : count
            let start = offset
            guard stored <= bytes.count - offset else {
                throw CodecError(.truncated, .bmp, "the file ends before its runs do")
            }
            for index in 0..<count {
                let byte = bytes[start + (isNarrow ? index / 2 : index)]
                put(isNarrow ? nibble(byte, index) : byte, into: row)
            }
            offset = min(bytes.count, start + stored + stored % 2)
        }

        private func row(
            _ runs: BMPRuns
        ) throws(CodecError) -> UnsafeMutableBufferPointer<UInt16> {
            guard y < runs.size.height else {
                throw CodecError(.malformed, .bmp, "a run lies above the picture")
            }
            return runs.row(runs.size.height - 1 - y)
        }

        private func nibble(_ byte: UInt8, _ index: Int) -> UInt8 {
            index % 2 == 0 ? byte >> 4 : byte & 15
        }

        private mutating func put(
            _ index: UInt8, into row: UnsafeMutableBufferPointer<UInt16>
        ) {
            if x < row.count { row[x] = UInt16(index) }
            x += 1
        }
    }
}
