package import StickerValues

/// The blocks of a GIF file in order (GIF89a specification, appendix B), skipped without decoding.
package struct GIFBlocks: IteratorProtocol {
    package enum Block {
        /// An extension: its label, and the offset of its first data sub-block.
        case `extension`(label: UInt8, data: Int)
        /// An image: the offset of its descriptor.
        case image(descriptor: Int)
    }

    /// Why there is no further block.
    package enum Ending {
        /// A trailer; the picture ends at the offset.
        case trailer(end: Int)
        /// The bytes end between two blocks.
        case noTrailer
        /// The bytes end within a block.
        case cut
        /// A byte begins no block.
        case unknownBlock(UInt8)
    }

    /// Bytes of the header and the logical screen descriptor.
    package static let screenBytes = 13

    private let bytes: UnsafeRawBufferPointer
    private var offset: Int
    /// Set once `next` has returned `nil`.
    package private(set) var ending = Ending.cut

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = Self.screenBytes + Self.colorTableBytes(bytes.byte(at: 10) ?? 0)
    }

    package mutating func next() -> Block? {
        guard let introducer = bytes.byte(at: offset) else {
            ending = offset == bytes.count ? .noTrailer : .cut
            return nil
        }
        let start = offset
        switch introducer {
        case 0x21:
            guard let label = bytes.byte(at: start + 1), skipSubBlocks(from: start + 2) else {
                return nil
            }
            return .extension(label: label, data: start + 2)
        case 0x2C:
            guard let packed = bytes.byte(at: start + 9),
                skipSubBlocks(from: start + 11 + Self.colorTableBytes(packed))
            else { return nil }
            return .image(descriptor: start)
        case 0x3B:
            ending = .trailer(end: start + 1)
            return nil
        default:
            ending = .unknownBlock(introducer)
            return nil
        }
    }

    /// The size of the logical screen.
    package static func screenSize(_ bytes: UnsafeRawBufferPointer) -> PixelSize? {
        guard let width = bytes.littleEndian16(at: 6), let height = bytes.littleEndian16(at: 8)
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The size of the canvas: the logical screen, grown to hold all of the first image, as in browsers. Some
    /// programs write a screen that is too small, or one of 0x0.
    package static func canvasSize(_ bytes: UnsafeRawBufferPointer) -> PixelSize? {
        guard var size = screenSize(bytes) else { return nil }
        var blocks = GIFBlocks(bytes)
        while let block = blocks.next() {
            guard case .image(let descriptor) = block else { continue }
            if let area = area(bytes, at: descriptor) {
                size.width = Swift.max(size.width, area.x + area.width)
                size.height = Swift.max(size.height, area.y + area.height)
            }
            break
        }
        return size
    }

    /// The place of an image on the screen.
    package static func area(
        _ bytes: UnsafeRawBufferPointer, at descriptor: Int
    ) -> (x: Int, y: Int, width: Int, height: Int)? {
        guard let x = bytes.littleEndian16(at: descriptor + 1),
            let y = bytes.littleEndian16(at: descriptor + 3),
            let width = bytes.littleEndian16(at: descriptor + 5),
            let height = bytes.littleEndian16(at: descriptor + 7)
        else { return nil }
        return (x, y, width, height)
    }

    /// The offset after the trailer, if there is one.
    package static func end(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var blocks = GIFBlocks(bytes)
        while blocks.next() != nil {}
        return if case .trailer(let end) = blocks.ending { end } else { nil }
    }

    /// The size of the colour table that a packed field declares.
    package static func colorTableBytes(_ packed: UInt8) -> Int {
        packed & 0x80 == 0 ? 0 : 3 << (Int(packed & 0x07) + 1)
    }

    /// Moves past the empty block that ends a chain of data sub-blocks.
    private mutating func skipSubBlocks(from start: Int) -> Bool {
        var position = start
        while let length = bytes.byte(at: position) {
            position += 1 + Int(length)
            if length == 0 {
                offset = position
                return true
            }
        }
        return false
    }
}
