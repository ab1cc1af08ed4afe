public import StickerValues

/// A profile that the configuration names by its file.
public struct CMYKProfileFile: Hashable, Sendable {
    /// The file; a relative path is resolved against the folder of the configuration file.
    public var path: String
    /// The content of the file; `nil` until it is read.
    public var profile: CMYKProfile?

    /// Names the file at `path`.
    public init(path: String) { self.path = path }

    /// The fault of a configuration that names an unusable file; `trouble` ends a sentence that begins with the path.
    public func fault(_ trouble: String) -> JSONFault {
        JSONFault(
            path: "color.cmykProfile",
            message: "\(FileName.escaped(path)) \(trouble); name an ICC profile for CMYK, "
                + "default_cmyk.icc of Debian's libgs-common for example")
    }
}
