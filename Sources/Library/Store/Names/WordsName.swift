import Foundation
import StickerModel

/// The names under which words about pictures are stored. Equal texts are equal bytes, however their letters
/// with accents are put together: systems differ in that.
enum WordsName {
    /// Stands for all stickers of a category; no path of a file.
    static let defaults = "/"

    static func of(_ path: String) -> String { path.precomposedStringWithCanonicalMapping }

    static func of(path: [UInt8]) -> String { of(FileName.display(path)) }
}
