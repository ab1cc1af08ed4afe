import StickerContainers
package import StickerModel
package import StickerRaster

/// Everything that a file states about its colours, as its decoder found it; `ColorDecision` judges it.
package struct ColorFacts {
    /// An embedded ICC profile.
    package enum Profile: Hashable {
        case whole([UInt8])
        /// It cannot be read; one clause says why.
        case damaged(String)

        /// Copies `bytes` unless they are more than any profile may have.
        package init(_ bytes: UnsafeRawBufferPointer) {
            self =
                bytes.count <= ICCOutline.bytesMax
                ? .whole(Array(bytes))
                : .damaged("it has \(bytes.count) bytes, more than \(ICCOutline.bytesMax)")
        }
    }

    /// The format; its specification says which fact goes first.
    package let format: ImageFormat
    /// The colours that a pixel holds: gray if the file stores a single sample of colour, or if its format
    /// cannot do that and every pixel is gray.
    package var pixels: ICCProfile.Space
    /// The numbers of PNG's cICP, of nclx, or of the header of a video.
    package var coded: CodedColor?
    /// The name of the chunk or box that states these numbers, for people.
    package var codedBy: String
    /// The embedded profile.
    package var profile: Profile?
    /// Whether there is an sRGB chunk.
    package var isSRGB = false
    /// The value of a gAMA chunk in 1/100,000.
    package var gamma: Int?
    /// The values of a cHRM chunk.
    package var chromaticities: Chromaticities?

    /// Nothing is said yet.
    package init(_ format: ImageFormat, pixels: ICCProfile.Space) {
        (self.format, self.pixels) = (format, pixels)
        codedBy = format == .png ? "cICP" : "nclx"
    }

    /// Whether it matters that the pixels are gray: formats that cannot say so look at them only then.
    package var hasGrayProfile: Bool {
        guard case .whole(let bytes) = profile else { return false }
        return ICCProfile.space(bytes) == .gray
    }
}

extension ImageHeader {
    /// Takes over what `facts` amount to.
    /// - Throws: `CodecError.unsupported` for brightness beyond white.
    package mutating func describeColor(_ facts: ColorFacts) throws(CodecError) {
        var decision = ColorDecision(facts)
        color = try decision.color()
        warnings += decision.warnings
    }
}
