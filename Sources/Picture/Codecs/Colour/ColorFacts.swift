import StickerContainers
package import StickerRaster
package import StickerValues

/// A file's statements about its colours, as its decoder found them; `ColorDecision` judges them.
package struct ColorFacts {
    /// An embedded ICC profile.
    package enum Profile: Hashable {
        case whole([UInt8])
        /// It cannot be read, for the reason in one clause.
        case damaged(String)

        /// Copies `bytes` unless they are larger than any profile.
        package init(_ bytes: UnsafeRawBufferPointer) {
            self =
                bytes.count <= ICCOutline.bytesMax
                ? .whole(Array(bytes))
                : .damaged("it has \(bytes.count) bytes, more than \(ICCOutline.bytesMax)")
        }
    }

    /// The format; its specification defines the order of facts.
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

    /// Creates facts that state nothing.
    package init(_ format: ImageFormat, pixels: ICCProfile.Space) {
        (self.format, self.pixels) = (format, pixels)
        codedBy = format == .png ? "cICP" : "nclx"
    }

    /// Whether it matters that the pixels are gray: formats that cannot declare it check them only then.
    package var hasGrayProfile: Bool {
        guard case .whole(let bytes) = profile else { return false }
        return ICCProfile.space(bytes) == .gray
    }
}

extension ImageHeader {
    /// Sets the colour that `facts` lead to.
    /// - Throws: `CodecError.unsupported` for brightness beyond white.
    package mutating func describeColor(_ facts: ColorFacts) throws(CodecError) {
        var decision = ColorDecision(facts)
        color = try decision.color()
        warnings += decision.warnings
    }
}
