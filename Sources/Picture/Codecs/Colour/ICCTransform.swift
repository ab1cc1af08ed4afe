import CLCMS
import StickerRaster

/// Owns an lcms2 transform from an embedded profile to sRGB. Corresponds to `cmsHTRANSFORM`.
///
/// Perceptual intent, with which lcms2 compensates the black point by itself, and lcms2's own choice of grid: finer
/// ones cost three times as much and came no closer to libvips. For pixels with four samples, only the colours are
/// written: the fourth sample of the output stays as it is.
final class ICCTransform {
    private let context: cmsContext
    private let transform: cmsHTRANSFORM
    /// Whether the input is CMYK, so that the fourth output sample is unused.
    let isFromInk: Bool

    /// `nil` if the profile is damaged or not for samples of this layout.
    init?(profile: [UInt8], layout: SampleLayout) {
        guard let format = Self.inputFormat(profile, layout),
            let context = cmsCreateContext(nil, nil)
        else { return nil }
        let output = layout == .rgba16 ? Self.rgba16 : Self.rgba8
        guard let transform = Self.transform(context, profile, from: format, to: output) else {
            cmsDeleteContext(context)
            return nil
        }
        self.context = context
        self.transform = transform
        isFromInk = layout == .cmyk8
    }

    deinit {
        cmsDeleteTransform(transform)
        cmsDeleteContext(context)
    }

    /// Converts `pixels` pixels of `input` to `output`.
    func apply(
        _ input: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer, pixels: Int
    ) {
        cmsDoTransform(transform, input.baseAddress, output.baseAddress, UInt32(pixels))
    }

    /// Whether it leaves a grid of 8-bit colours unchanged, give or take 1: sRGB by any name.
    var isIdentity: Bool {
        let levels = stride(from: UInt8(0), through: 255, by: 15)
        var grid: [UInt8] = []
        for red in levels {
            for green in levels {
                for blue in levels { grid += [red, green, blue, 255] }
            }
        }
        var converted = grid
        grid.withUnsafeBytes { grid in
            converted.withUnsafeMutableBytes { apply(grid, to: $0, pixels: grid.count / 4) }
        }
        return zip(grid, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }

    private static func transform(
        _ context: cmsContext, _ profile: [UInt8], from input: UInt32, to output: UInt32
    ) -> cmsHTRANSFORM? {
        guard let source = cmsOpenProfileFromMemTHR(context, profile, UInt32(profile.count)) else {
            return nil
        }
        defer { cmsCloseProfile(source) }
        guard let target = cmsCreate_sRGBProfileTHR(context) else { return nil }
        defer { cmsCloseProfile(target) }
        return cmsCreateTransformTHR(
            context, source, input, target, output, UInt32(INTENT_PERCEPTUAL), 0)
    }

    /// A gray picture comes as RGBA with three equal samples; the first one is enough.
    private static func inputFormat(_ profile: [UInt8], _ layout: SampleLayout) -> UInt32? {
        switch (ICCProfile.space(profile), layout) {
        case (.rgb, .rgba8): rgba8
        case (.rgb, .rgba16): rgba16
        case (.gray, .rgba8): format(PT_GRAY, channels: 1, extra: 3, bytes: 1)
        case (.gray, .rgba16): format(PT_GRAY, channels: 1, extra: 3, bytes: 2)
        case (.cmyk, .cmyk8): format(PT_CMYK, channels: 4, extra: 0, bytes: 1)
        default: nil
        }
    }

    private static let rgba8 = format(PT_RGB, channels: 3, extra: 1, bytes: 1)
    private static let rgba16 = format(PT_RGB, channels: 3, extra: 1, bytes: 2)

    /// lcms2's `COLORSPACE_SH`, `CHANNELS_SH`, `EXTRA_SH` and `BYTES_SH`, which are macros.
    private static func format(
        _ space: Int32, channels: UInt32, extra: UInt32, bytes: UInt32
    ) -> UInt32 {
        UInt32(space) << 16 | extra << 7 | channels << 3 | bytes
    }
}
