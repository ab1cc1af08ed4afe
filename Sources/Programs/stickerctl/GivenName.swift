import FoundationEssentials
import StickerStore
import StickerValues

extension LibraryStore {
    /// The name to look for if an operator entered a file or a sticker.
    ///
    /// A path relative to the current folder, as completed by a shell, is made absolute. If that is not a
    /// file of the library, the name is left unchanged.
    func known(_ given: String) throws -> String {
        let folder = URL(filePath: FileManager.default.currentDirectoryPath + "/")
        let path = URL(filePath: given, relativeTo: folder).standardizedFileURL.path
        return try operations.hasFile(path) ? path : given
    }

    /// The name to look for, as in `known`. For the id of a replaced sticker, it is the id of the new one, and a line
    /// says so.
    func standing(_ given: String) throws -> String {
        let name = try known(given)
        guard let story = try operations.story(of: name), let former = story.formerSticker else {
            return name
        }
        complain("\(former) was replaced by \(story.sticker)")
        return story.sticker.rawValue
    }
}
