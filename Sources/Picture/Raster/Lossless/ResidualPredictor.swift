/// Predictors of lossless WebP (RFC 9649, section 4.1), for four pixels at once.
///
/// Those left out are hardly ever the best: black, and three averages of two neighbours.
enum ResidualPredictor: Int {
    /// Four pixels of four bytes.
    typealias Pixels = SIMD16<UInt8>

    case left, top, topRight, topLeft, leftTopRightTop, leftTop, all, select, gradient, halfGradient

    /// The pixels around four others.
    struct Neighbors {
        let left, top, topLeft, topRight: Pixels

        /// The neighbours of the four pixels from a place on; rows are `stride` bytes apart.
        @inline(__always)
        init(ofFour place: UnsafeRawPointer, stride: Int) {
            func pixels(_ distance: Int) -> Pixels {
                (place - distance).loadUnaligned(as: Pixels.self)
            }
            (left, top) = (pixels(4), pixels(stride))
            (topLeft, topRight) = (pixels(stride + 4), pixels(stride - 4))
        }

        /// Those of one pixel alone, which come first.
        @inline(__always)
        init(ofOne place: UnsafeRawPointer, stride: Int) {
            func pixel(_ distance: Int) -> Pixels {
                let word = (place - distance).load(as: UInt32.self)
                return unsafeBitCast(SIMD4<UInt32>(word, 0, 0, 0), to: Pixels.self)
            }
            (left, top) = (pixel(4), pixel(stride))
            (topLeft, topRight) = (pixel(stride + 4), pixel(stride - 4))
        }
    }

    /// The predictions from neighbours.
    @inline(__always)
    func predict(_ near: Neighbors) -> Pixels {
        switch self {
        case .left: return near.left
        case .top: return near.top
        case .topRight: return near.topRight
        case .topLeft: return near.topLeft
        case .leftTopRightTop:
            return Self.mean(Self.mean(near.left, near.topRight), near.top)
        case .leftTop: return Self.mean(near.left, near.top)
        case .all:
            return Self.mean(
                Self.mean(near.left, near.topLeft), Self.mean(near.top, near.topRight))
        case .select: return Self.select(near)
        case .gradient:
            let sum = Self.wide(near.left) &+ Self.wide(near.top)
            return Self.clamped(sum &- Self.wide(near.topLeft))
        case .halfGradient:
            let mean = Self.wide(Self.mean(near.left, near.top))
            let step = mean &- Self.wide(near.topLeft)
            // Halves are cut towards 0: the sign bit is added before the shift.
            return Self.clamped(mean &+ ((step &- (step &>> 15)) &>> 1))
        }
    }

    @inline(__always)
    private static func mean(_ a: Pixels, _ b: Pixels) -> Pixels { (a & b) &+ ((a ^ b) &>> 1) }

    @inline(__always)
    private static func wide(_ bytes: Pixels) -> SIMD16<Int16> {
        SIMD16<Int16>(truncatingIfNeeded: bytes)
    }

    @inline(__always)
    private static func clamped(_ values: SIMD16<Int16>) -> Pixels {
        let (least, most) = (SIMD16<Int16>(repeating: 0), SIMD16<Int16>(repeating: 255))
        let raised = values.replacing(with: least, where: values .< least)
        return Pixels(truncatingIfNeeded: raised.replacing(with: most, where: raised .> most))
    }

    /// The left or the upper pixel, whichever is nearer to left + top - top left.
    @inline(__always)
    private static func select(_ near: Neighbors) -> Pixels {
        let isLeft =
            sums(distances(near.top, near.topLeft)) .< sums(distances(near.left, near.topLeft))
        return unsafeBitCast(
            unsafeBitCast(near.top, to: SIMD4<UInt32>.self)
                .replacing(with: unsafeBitCast(near.left, to: SIMD4<UInt32>.self), where: isLeft),
            to: Pixels.self)
    }

    /// The differences of bytes, without their signs.
    @inline(__always)
    static func distances(_ a: Pixels, _ b: Pixels) -> Pixels {
        let least = a.replacing(with: b, where: a .> b)
        let most = a.replacing(with: b, where: a .< b)
        return most &- least
    }

    /// The sum of the channels of each pixel.
    @inline(__always)
    private static func sums(_ bytes: Pixels) -> SIMD4<UInt32> {
        let words = unsafeBitCast(bytes, to: SIMD4<UInt32>.self)
        let even = SIMD4<UInt32>(repeating: 0x00FF_00FF)
        let pairs = (words & even) &+ ((words &>> 8) & even)
        return (pairs & SIMD4<UInt32>(repeating: 0xFFFF)) &+ (pairs &>> 16)
    }
}

/// The costs of coding some pixels with each predictor.
struct ResidualCosts {
    private typealias Pixels = ResidualPredictor.Pixels
    typealias Sums = SIMD8<UInt16>

    private var left = Sums.zero, top = Sums.zero, topRight = Sums.zero, topLeft = Sums.zero
    private var leftTopRightTop = Sums.zero, leftTop = Sums.zero, all = Sums.zero
    private var select = Sums.zero, gradient = Sums.zero, halfGradient = Sums.zero

    /// Adds four pixels; up to 2,048 pixels do not overflow.
    @inline(__always)
    mutating func add(_ place: UnsafeRawPointer, stride: Int) {
        let own = place.loadUnaligned(as: Pixels.self)
        let near = ResidualPredictor.Neighbors(ofFour: place, stride: stride)
        left &+= Self.cost(own, ResidualPredictor.left.predict(near))
        top &+= Self.cost(own, ResidualPredictor.top.predict(near))
        topRight &+= Self.cost(own, ResidualPredictor.topRight.predict(near))
        topLeft &+= Self.cost(own, ResidualPredictor.topLeft.predict(near))
        leftTopRightTop &+= Self.cost(own, ResidualPredictor.leftTopRightTop.predict(near))
        leftTop &+= Self.cost(own, ResidualPredictor.leftTop.predict(near))
        all &+= Self.cost(own, ResidualPredictor.all.predict(near))
        select &+= Self.cost(own, ResidualPredictor.select.predict(near))
        gradient &+= Self.cost(own, ResidualPredictor.gradient.predict(near))
        halfGradient &+= Self.cost(own, ResidualPredictor.halfGradient.predict(near))
    }

    /// The cheapest predictor.
    var best: ResidualPredictor {
        // In the order of the cases.
        let sums = [
            left, top, topRight, topLeft, leftTopRightTop, leftTop, all, select, gradient,
            halfGradient,
        ]
        let costs = sums.map { SIMD8<UInt32>(truncatingIfNeeded: $0).wrappedSum() }
        let least = costs.indices.min { costs[$0] < costs[$1] }
        return least.flatMap(ResidualPredictor.init) ?? .gradient
    }

    /// Roughly the bits that residuals take, at most 116 for two bytes.
    @inline(__always)
    private static func cost(_ own: Pixels, _ predicted: Pixels) -> Sums {
        let residuals = own &- predicted
        let sizes = lesser(residuals, Pixels.zero &- residuals)
        let (small, medium) = (
            lesser(sizes, Pixels(repeating: 2)), lesser(sizes, Pixels(repeating: 6))
        )
        let (twice, large) = (small &+ small &+ medium, lesser(sizes, Pixels(repeating: 22)))
        let pairs = unsafeBitCast(twice &+ twice &+ large &+ (sizes &>> 3), to: Sums.self)
        return (pairs & Sums(repeating: 0xFF)) &+ (pairs &>> 8)
    }

    @inline(__always)
    private static func lesser(_ a: Pixels, _ b: Pixels) -> Pixels {
        a.replacing(with: b, where: b .< a)
    }
}
