import FoundationEssentials
import StickerModel
import StickerStore

extension JobStore {
    /// The name in the books of what an operator named.
    ///
    /// What is not known as it stands may be a path from the folder that the operator is in, as a shell
    /// completes it.
    func name(of given: String) throws -> String {
        var filter = JobFilter()
        filter.file = given
        let isKnown = try !jobs(filter, limit: 1).isEmpty || story(of: given) != nil
        guard !isKnown, !given.isEmpty else { return given }
        let folder = URL(filePath: FileManager.default.currentDirectoryPath + "/")
        return URL(filePath: given, relativeTo: folder).standardizedFileURL.path
    }
}
