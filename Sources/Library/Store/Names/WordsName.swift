import Foundation
import StickerValues

/// The names under which words about pictures are stored. Equal texts are equal bytes, however their accents are
/// composed: systems differ in that.
enum WordsName {
    /// Stands for all stickers of a category; not a path.
    static let defaults = "/"

    static func of(_ path: String) -> String { path.precomposedStringWithCanonicalMapping }

    static func of(path: [UInt8]) -> String { of(FileName.display(path)) }
}
