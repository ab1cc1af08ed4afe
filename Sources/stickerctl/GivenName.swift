import FoundationEssentials
import StickerStore

extension JobStore {
    /// The name to look for where an operator named a file or a sticker.
    ///
    /// A path from the folder that the operator is in, as a shell completes it, becomes whole. What is no
    /// file of the library that way stays as it is.
    func known(_ given: String) throws -> String {
        let folder = URL(filePath: FileManager.default.currentDirectoryPath + "/")
        let path = URL(filePath: given, relativeTo: folder).standardizedFileURL.path
        return try hasFile(path) ? path : given
    }
}
