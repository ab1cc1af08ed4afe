/// Draws a picture in the colours of a palette, and passes the error of each pixel on to its neighbours: R. Floyd and
/// L. Steinberg, "An adaptive algorithm for spatial grey scale" (1976), every second row from the right.
///
/// A pixel whose colour is in the palette gets it, whatever its neighbours passed on, and passes on nothing, so flat
/// areas stay flat. Transparent pixels stay transparent, opaque ones opaque.
struct ErrorDiffusion {
    private let palette: [UInt32]
    private let places: [SIMD4<Float>]
    private let opaqueCount: Int
    private var exact = ExactColors()
    private var opaque: NearestPlace
    private var any: NearestPlace
    /// The share of an error passed on; 0 for none.
    private let strength: Float

    /// Creates a diffusion to a palette of at least one colour.
    init(_ palette: PaletteCut.Palette, strength: Float) {
        self.palette = palette.colors
        self.strength = strength
        places = palette.colors.map { PaletteColor.place(of: $0) }
        opaqueCount = palette.opaqueCount
        for color in palette.colors { exact.insert(color) }
        any = NearestPlace(places)
        opaque = opaqueCount > 0 ? NearestPlace(Array(places[..<opaqueCount])) : any
    }

    /// Draws `source` into `target`, both rows of `width` pixels of straight RGBA.
    mutating func draw(
        _ source: UnsafeBufferPointer<UInt32>, into target: UnsafeMutableBufferPointer<UInt32>,
        width: Int
    ) {
        precondition(source.count == target.count && source.count.isMultiple(of: width))
        // The errors passed on to this row and to the next, with a pixel of room on both sides.
        var here = [SIMD4<Float>](repeating: .zero, count: width + 2)
        var below = here
        for y in 0..<(source.count / width) {
            let row = (y * width)..<((y + 1) * width)
            draw(
                UnsafeBufferPointer(rebasing: source[row]),
                into: UnsafeMutableBufferPointer(rebasing: target[row]),
                isFromRight: y & 1 == 1, &here, &below)
            swap(&here, &below)
            below.withUnsafeMutableBufferPointer { $0.update(repeating: .zero) }
        }
    }

    private mutating func draw(
        _ source: UnsafeBufferPointer<UInt32>, into target: UnsafeMutableBufferPointer<UInt32>,
        isFromRight: Bool, _ here: inout [SIMD4<Float>], _ below: inout [SIMD4<Float>]
    ) {
        let (width, step) = (source.count, isFromRight ? -1 : 1)
        for count in 0..<width {
            let x = isFromRight ? width - 1 - count : count
            let pixel = source[x]
            guard PaletteColor.alpha(pixel) > 0, exact.index(of: pixel) == nil else {
                target[x] = PaletteColor.alpha(pixel) == 0 ? 0 : pixel
                continue
            }
            let wanted = PaletteColor.inside(PaletteColor.place(of: pixel) + here[x + 1])
            let index = self.index(of: wanted, isOpaque: PaletteColor.alpha(pixel) == 255)
            target[x] = palette[index]
            guard strength > 0 else { continue }
            let error = (wanted - places[index]) * (strength / 16)
            here[x + 1 + step] += error * 7
            below[x + 1 - step] += error * 3
            below[x + 1] += error * 5
            below[x + 1 + step] += error
        }
    }

    private mutating func index(of place: SIMD4<Float>, isOpaque: Bool) -> Int {
        isOpaque && opaqueCount > 0 ? opaque.index(of: place) : any.index(of: place)
    }
}
