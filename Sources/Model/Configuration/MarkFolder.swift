public import StickerValues

/// The folder with the pictures that looks of categories may show as marks.
public struct MarkFolder: Hashable, Sendable {
    /// The most pictures.
    public static let countMax = 64
    /// All pictures together, in bytes.
    public static let bytesMax = 16_000_000

    /// The folder; a relative path is resolved against the folder of the configuration file.
    public var path: String
    /// The pictures by name; empty until they are read.
    public var pictures: [String: FileContent] = [:]

    /// Names the folder at `path`.
    public init(path: String) { self.path = path }
}

extension Configuration {
    /// The pictures and targets that looks of categories may name.
    public var lookRules: LookRules {
        LookRules(
            marks: marks?.pictures.mapValues(\.bytes.count), targets: targets.keys.sorted())
    }

    /// The pictures that the look of a category shows and the folder of marks does not have. Without them no sticker of
    /// the category is made.
    public func missingMarks(of category: CategoryNames) -> [String] {
        let pictures = marks?.pictures ?? [:]
        return category.look?.markNames.filter { pictures[$0] == nil } ?? []
    }

    /// Gives the marks of a look their pictures.
    func fillIn(_ marks: inout [Watermark]) {
        for index in marks.indices {
            guard case .image(var file) = marks[index].content else { continue }
            file.content = self.marks?.pictures[file.path]
            marks[index].content = .image(file)
        }
    }
}
