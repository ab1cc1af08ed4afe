/// An image format that stickerd reads; it writes PNG, GIF and WebP.
public enum ImageFormat: String, Sendable, Codable, CaseIterable {
    case png, gif, jpeg, webp, bmp, tiff, avif, heic, svg

    /// The extensions of its files, in lower case; a published file has the first.
    public var fileExtensions: [String] {
        switch self {
        case .png: ["png", "apng"]
        case .gif: ["gif"]
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
        case .webp: ["webp"]
        case .bmp: ["bmp", "dib"]
        case .tiff: ["tiff", "tif"]
        case .avif: ["avif", "avifs"]
        case .heic: ["heic", "heif", "hif"]
        case .svg: ["svg", "svgz"]
        }
    }

    /// The extension of a published file in this format.
    public var fileExtension: String { fileExtensions[0] }

    /// `PNG, GIF, JPEG, WebP, BMP, TIFF, AVIF, HEIC or SVG`
    public static let namesOfAll = names(of: allCases)

    /// The remedy for a picture in another format.
    public static let remedy = "save it as \(namesOfAll)"

    /// The names of some formats in a sentence, in the order of the full list: `PNG, GIF or SVG`.
    public static func names(of formats: some Sequence<ImageFormat>) -> String {
        let formats = Set(formats)
        let names = allCases.filter(formats.contains).map(\.name)
        guard let last = names.last, names.count > 1 else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " or " + last
    }

    /// As written in sentences.
    public var name: String { self == .webp ? "WebP" : rawValue.uppercased() }
}
