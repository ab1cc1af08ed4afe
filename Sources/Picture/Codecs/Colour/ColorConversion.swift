import StickerContainers
public import StickerRaster
public import StickerValues

/// Converts the rows of one decoded picture to sRGB.
///
/// An embedded profile is applied with perceptual intent; without one, a PNG gamma is applied as browsers
/// do it, and CMYK follows the profile of the configuration or is multiplied out. Alpha passes through.
/// One object serves one picture.
public final class ColorConversion {
    private enum Method {
        case none
        case profile(ICCTransform)
        case gamma(GammaTable)
        case ink
    }

    /// How converted rows are stored: `.rgba8` or `.rgba16`, straight alpha.
    public let layout: SampleLayout
    /// The problems with the profile.
    public let warnings: [Warning]
    /// Whether the inks use the profile of the configuration, as they have none.
    public let assumesProfile: Bool
    private let method: Method
    /// Whether the inks have an alpha, which is set aside while they are converted.
    private let inksHaveAlpha: Bool
    private var row = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// Prepares for the rows that `header` describes.
    ///
    /// - Parameters:
    ///   - header: the header of the picture.
    ///   - cmykProfile: the profile for inks without a usable one; `nil` multiplies them out.
    public init(_ header: ImageHeader, cmykProfile: CMYKProfile? = nil) {
        inksHaveAlpha = header.layout == .cmyka8
        var header = header
        if inksHaveAlpha { header.layout = .cmyk8 }
        layout = header.layout == .rgba16 ? .rgba16 : .rgba8
        let own = Self.ownMethod(header)
        guard own.method == nil, header.layout == .cmyk8 else {
            (method, warnings, assumesProfile) = (own.method ?? .none, own.warnings, false)
            return
        }
        let assumed = cmykProfile.map {
            Self.following($0.bytes, .cmyk8, "the profile of color.cmykProfile")
        }
        method = assumed?.method ?? .ink
        warnings = own.warnings + (assumed?.warnings ?? [])
        assumesProfile = assumed?.method != nil
    }

    /// Why `profile` cannot be used for inks without a usable profile; `nil` if it can.
    public static func fault(in profile: CMYKProfile) -> String? {
        if let fault = profile.bytes.withUnsafeBytes({ ICCOutline.fault(in: $0) }) { return fault }
        let isUsable = ICCTransform(profile: profile.bytes, layout: .cmyk8) != nil
        return isUsable ? nil : "lcms2 does not accept it"
    }

    deinit { row.deallocate() }

    /// Whether rows are returned unchanged.
    public var isIdentity: Bool { if case .none = method { true } else { false } }

    /// Converts one row of `pixels` pixels in the header's layout.
    ///
    /// - Returns: the row in `layout`; valid until the next call, and while `input` is.
    public func convert(row input: UnsafeRawBufferPointer, pixels: Int) -> UnsafeRawBufferPointer {
        if isIdentity { return input }
        if inksHaveAlpha { return convert(inksWithAlpha: input, pixels: pixels) }
        return UnsafeRawBufferPointer(convert(input, pixels: pixels))
    }

    /// Inks first, then their alpha.
    private func convert(
        inksWithAlpha input: UnsafeRawBufferPointer, pixels: Int
    ) -> UnsafeRawBufferPointer {
        let inks = UnsafeMutableRawBufferPointer.allocate(byteCount: pixels * 4, alignment: 16)
        defer { inks.deallocate() }
        for pixel in 0..<pixels {
            for ink in 0..<4 { inks[pixel * 4 + ink] = input[pixel * 5 + ink] }
        }
        let output = convert(UnsafeRawBufferPointer(inks), pixels: pixels)
        for pixel in 0..<pixels { output[pixel * 4 + 3] = input[pixel * 5 + 4] }
        return UnsafeRawBufferPointer(output)
    }

    private func convert(
        _ input: UnsafeRawBufferPointer, pixels: Int
    ) -> UnsafeMutableRawBufferPointer {
        let count = pixels * layout.bytesPerPixel
        precondition(input.count >= count)
        if row.count < count {
            row.deallocate()
            row = .allocate(byteCount: count, alignment: 16)
        }
        let output = UnsafeMutableRawBufferPointer(rebasing: row[..<count])
        output.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[..<count]))
        switch method {
        case .none: break
        case .gamma(let table): table.apply(input, to: output, pixels: pixels)
        case .ink: Self.multiplyInks(output)
        case .profile(let transform):
            transform.apply(input, to: output, pixels: pixels)
            if transform.isFromInk { Self.makeOpaque(output) }
        }
        return output
    }

    /// The conversion for the picture's own statements about colour; `nil` if none are usable.
    private static func ownMethod(
        _ header: ImageHeader
    ) -> (method: Method?, warnings: [Warning]) {
        switch header.color {
        case .sRGB:
            return (nil, [])
        case .gamma(let gamma):
            let table = GammaTable(gamma: gamma, is16Bit: header.layout == .rgba16)
            return (table.map { .gamma($0) }, [])
        case .icc(let profile):
            return following(profile, header.layout, "the colour profile")
        }
    }

    /// `name` is the profile's in warnings.
    private static func following(
        _ profile: [UInt8], _ layout: SampleLayout, _ name: String
    ) -> (method: Method?, warnings: [Warning]) {
        if let fault = profile.withUnsafeBytes({ ICCOutline.fault(in: $0) }) {
            let detail = "\(name) was set aside: \(fault)"
            return (nil, [Warning("bad-profile", detail)])
        }
        guard let transform = ICCTransform(profile: profile, layout: layout) else {
            let detail = "\(name) is unusable and was ignored"
            return (nil, [Warning("bad-profile", detail)])
        }
        guard layout != .cmyk8 else { return (.profile(transform), []) }
        let probe = layout == .rgba8 ? transform : ICCTransform(profile: profile, layout: .rgba8)
        if probe?.isIdentity == true { return (Method.none, []) }
        return (.profile(transform), [])
    }

    /// Red is the part that cyan and black leave, and so on.
    private static func multiplyInks(_ pixels: UnsafeMutableRawBufferPointer) {
        for offset in stride(from: 0, to: pixels.count, by: 4) {
            let light = 255 - UInt32(pixels[offset + 3])
            for channel in offset..<(offset + 3) {
                let product = (255 - UInt32(pixels[channel])) * light
                pixels[channel] = UInt8((product + 127) / 255)
            }
            pixels[offset + 3] = 255
        }
    }

    private static func makeOpaque(_ pixels: UnsafeMutableRawBufferPointer) {
        for offset in stride(from: 3, to: pixels.count, by: 4) { pixels[offset] = 255 }
    }
}
