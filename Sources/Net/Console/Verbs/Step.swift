import StickerHTTP
import StickerStore
import StickerValues

/// A change to a drop that can be undone.
enum Step: Hashable, Sendable {
    /// Words in a side file.
    case words(WordsFile.Change)
    /// A file that has another name, another folder, or is removed; with the way back.
    case move(back: FileMove)

    /// Why a step was not undone.
    struct Fault: Error {
        /// One sentence, with a remedy.
        let sentence: String
    }

    /// Undoes it, unless somebody else changed the same since.
    ///
    /// - Returns: the step that this is.
    /// - Throws: `Fault`; nothing was changed.
    func undone() throws(Fault) -> Step {
        switch self {
        case .words(let change):
            do throws(WordsFileError) {
                return .words(try change.file.undo(change))
            } catch {
                throw Fault(sentence: error.sentence(change.file))
            }
        case .move(let back):
            do {
                return .move(back: try back.carryOut())
            } catch let error as WebError {
                throw Fault(sentence: "\(error.message); \(error.remedy)")
            } catch {
                throw Fault(sentence: "\(error)")
            }
        }
    }

    /// The change, for the history.
    ///
    /// - Parameter sentence: what became of a moved file.
    /// - Returns: the change, with the names of the picture.
    func change(_ sentence: String) -> NewChange {
        switch self {
        case .words(let change):
            let key = change.file.key
            let names = change.keys.joined(separator: ", ")
            return change.file.kind == .sticker
                ? NewChange("changed \(names)", of: [SideFile.picture(of: key)])
                : NewChange("changed \(names) of the category", of: [key])
        case .move(let back) where RemovedFiles.origin(of: back.from) != nil:
            return NewChange("removed it", of: [back.to])
        case .move(let back):
            return NewChange(sentence, of: [back.from, back.to])
        }
    }

    /// The file that it changed, below its drop, for people; of a move both names.
    var shownName: String {
        switch self {
        case .words(let change): change.file.shownName
        case .move(let back): "\(back.to.display) -> \(back.from.display)"
        }
    }
}
