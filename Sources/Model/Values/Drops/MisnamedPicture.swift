/// A file without a picture's name that is not simply ignored.
public enum Stranger: Hashable, Sendable {
    /// It is a picture.
    case misnamed(MisnamedPicture)
    /// The daemon crashed too often while it read the bytes.
    case crashing
}

/// A picture by its bytes, without a picture's name.
public struct MisnamedPicture: Hashable, Sendable {
    /// The format of its bytes.
    public var format: ImageFormat
    /// A free name under which it would become a sticker.
    public var name: String
    /// Whether a similar name would make it the cover of its category.
    public var mayBeCover = false

    /// Proposes a name for the file `key`.
    ///
    /// - Parameters:
    ///   - key: the file, with its present name.
    ///   - format: the format of its bytes.
    ///   - isTaken: whether another file has a name.
    public init(_ key: SourceKey, format: ImageFormat, isTaken: (String) -> Bool) {
        self.format = format
        let (stem, ext) = Self.parts(FileName.visible(FileName.display(key.name)), format)
        var proposal = "\(stem).\(ext)"
        var number = 1
        func isSticker(_ name: String) -> Bool {
            key.siblings([Array(name.utf8)]).allSatisfy { FileKind.of($0) == .picture }
        }
        mayBeCover = !isSticker(proposal)
        while number < Self.numberMax, isTaken(proposal) || !isSticker(proposal) {
            proposal = "\(stem)-\(number).\(ext)"
            number += 1
        }
        self.name = proposal
    }

    /// The highest number in a proposed name.
    private static let numberMax = 1000
    /// Leaves room for a number and an extension in a name of 255 bytes.
    private static let stemBytesMax = 240

    /// The refusal of the file `key`.
    public func refusal(of key: SourceKey) -> Refusal {
        let ext = FileName.fileExtension(key.name)
        return Refusal(
            .misnamed, "its content is a picture (\(format.name)), but its name is not a picture's",
            measured: ext.isEmpty ? "no extension" : "\"\(FileName.escaped(ext))\"",
            limit: format.fileExtensions.joined(separator: ", "),
            remedy: "rename it to \(FileName.escaped(name))"
                + (mayBeCover
                    ? "; named cover.\(format.usualExtension) it represents the category" : ""))
    }

    /// The cleaned name and its extension: `photo.jpg_large`, `y.png.1`, `cat.dat`.
    private static func parts(
        _ name: String, _ format: ImageFormat
    ) -> (stem: String, ext: String) {
        let pieces = name.split(separator: ".", omittingEmptySubsequences: false)
        for index in pieces.indices.dropFirst().reversed() {
            let word = pieces[index].prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
            let ext = word.lowercased()
            guard FileKind.pictureExtensions.contains(ext) else { continue }
            let stem = trimmed(pieces[..<index].joined(separator: "."))
            let isRight = format.fileExtensions.contains(ext)
            return (stem, isRight ? String(word) : format.usualExtension)
        }
        let last = pieces.count > 1 ? pieces[pieces.count - 1] : ""
        if format == .svg, FileName.isTemplate(Array("\(name).svg".utf8)) { return (name, "svg") }
        let isExtension =
            (2...5).contains(last.count) && last.contains(where: \.isLetter)
            && last.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let stem = isExtension ? pieces.dropLast().joined(separator: ".") : name
        return (trimmed(stem), format.usualExtension)
    }

    /// Without trailing dots and blanks; never empty.
    private static func trimmed(_ stem: String) -> String {
        var stem = stem[...]
        while stem.utf8.count > stemBytesMax || stem.last == "." || stem.last == " " {
            stem.removeLast()
        }
        return stem.isEmpty ? "picture" : String(stem)
    }
}

extension ImageFormat {
    /// The best-known extension.
    fileprivate var usualExtension: String { self == .tiff ? "tif" : fileExtension }
}
