import CLCMS

/// The curve from samples to light: (a x + b) ^ g, below d c x (ICC.1:2010, 10.15, function 3).
package struct ToneCurve: Hashable {
    private var parameters: [Double]

    private init(_ g: Double, _ a: Double = 1, _ b: Double = 0, _ c: Double = 0, _ d: Double = 0) {
        parameters = [g, a, b, c, d]
    }

    /// A plain power.
    package init(gamma: Double) { self.init(gamma) }

    /// The curve of IEC 61966-2-1.
    package static let sRGB = ToneCurve(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
    /// The curve of a television screen, for which BT.709 and its successors are graded (ITU-R BT.1886).
    package static let television = ToneCurve(gamma: 2.4)

    /// The curve with a number of H.273, table 3; `nil` for unsupported ones.
    package init?(transfer: Int) {
        switch transfer {
        case 4: self.init(2.2)
        case 5: self.init(2.8)
        case 7: self.init(1 / 0.45, 1 / 1.1115, 0.1115 / 1.1115, 1 / 4, 0.0912)
        case 8: self.init(1)
        case 13: self = .sRGB
        case 17: self.init(2.6, 1.0341)  // 52.37 cd/m2 where white has 48: (52.37 / 48) ^ (1 / 2.6)
        default: return nil
        }
    }

    /// lcms2's form of it, which the caller frees; `nil` if memory is short.
    func made() -> OpaquePointer? { cmsBuildParametricToneCurve(nil, 4, parameters) }
}
