import StickerContainers
import StickerValues

/// A frame header: SOF0 to SOF15 (ITU T.81, B.2.2).
struct JPEGFrame {
    struct Component {
        let id: UInt8
        let horizontal: Int
        let vertical: Int
    }

    let size: PixelSize
    let components: [Component]
    /// Whether the coefficients come in several passes over the picture.
    let isProgressive: Bool
    /// Whether a few bytes may encode any number of coefficients.
    let isArithmetic: Bool

    init(
        marker: UInt8, _ data: UnsafeRawBufferPointer
    ) throws(CodecError) {
        guard let precision = data.byte(at: 0), let height = data.bigEndian16(at: 1),
            let width = data.bigEndian16(at: 3), let count = data.byte(at: 5),
            data.count == 6 + 3 * Int(count)
        else { throw CodecError(.malformed, .jpeg, "the frame header has a wrong length") }
        try Self.check(process: marker, precision: precision, count: count)
        size = PixelSize(width: width, height: height)
        isProgressive = marker & 0x03 == 2
        isArithmetic = marker & 0x08 != 0
        var components: [Component] = []
        for index in 0..<Int(count) {
            let sampling = data[7 + 3 * index]
            let component = Component(
                id: data[6 + 3 * index], horizontal: Int(sampling >> 4),
                vertical: Int(sampling & 0x0F))
            guard (1...4).contains(component.horizontal), (1...4).contains(component.vertical)
            else { throw CodecError(.malformed, .jpeg, "a sampling factor is not 1 to 4") }
            components.append(component)
        }
        self.components = components
    }

    /// Bytes of the coefficients of all components, two for each sample of every whole block.
    var coefficientBytes: Int {
        components.reduce(0) { $0 + coefficientCount(of: $1) } * 2
    }

    /// Coefficients of `component` in all of its whole blocks.
    func coefficientCount(of component: Component) -> Int {
        let horizontalMax = components.map(\.horizontal).max() ?? 1
        let verticalMax = components.map(\.vertical).max() ?? 1
        let columns = (size.width + 8 * horizontalMax - 1) / (8 * horizontalMax)
        let rows = (size.height + 8 * verticalMax - 1) / (8 * verticalMax)
        return columns * rows * component.horizontal * component.vertical * 64
    }

    /// The colour space of the pixels.
    var pixels: ICCProfile.Space {
        switch components.count {
        case 1: .gray
        case 4: .cmyk
        default: .rgb
        }
    }

    private static func check(
        process: UInt8, precision: UInt8, count: UInt8
    ) throws(CodecError) {
        switch process {
        case 0xC0...0xC2, 0xC9, 0xCA: break
        case 0xC3, 0xC7, 0xCB, 0xCF: throw CodecError(.unsupported, .jpeg, "a lossless JPEG")
        default: throw CodecError(.unsupported, .jpeg, "a hierarchical JPEG")
        }
        guard precision == 8 else {
            throw CodecError(.unsupported, .jpeg, "a JPEG of \(precision) bits a sample")
        }
        guard [1, 3, 4].contains(count) else {
            throw CodecError(
                count == 0 ? .malformed : .unsupported, .jpeg,
                "a JPEG of \(count) colour components")
        }
    }
}
