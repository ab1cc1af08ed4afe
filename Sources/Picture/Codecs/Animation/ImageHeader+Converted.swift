package import StickerRaster

extension ImageHeader {
    /// The header as it applies to a canvas whose frames `conversion` has converted: 8 bits a sample, in
    /// sRGB.
    package func converted(by conversion: ColorConversion) -> ImageHeader {
        var header = self
        (header.layout, header.color) = (.rgba8, .sRGB)
        header.warnings += conversion.warnings
        return header
    }
}
