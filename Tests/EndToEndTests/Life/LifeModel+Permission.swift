extension LifeModel {
    /// As many removals in one burst are believed, however small the library is.
    private static let removalsMax = 8

    /// Whether an operation makes sense now, and has one outcome however the daemon comes to hear of it.
    func permits(_ operation: Operation) -> Bool {
        switch operation {
        case .start: !isRunning
        case .stop, .kill: isRunning
        case .settle: true
        case .rebuild: !isRunning && burst.isEmpty && areDistinct
        case .moveDrop(let drop, let other):
            !isRunning && burst.isEmpty && drops.contains(drop) && !drops.contains(other)
        default: !burst.isOver && permitsWork(operation)
        }
    }

    private func permitsWork(_ operation: Operation) -> Bool {
        switch operation {
        case .write(let picture, let path), .replace(let picture, let path):
            permitsWriting(picture, path)
        case .reformat(let picture, let path, let other, _):
            permitsReformatting(picture, path, other)
        case .touch(let path): pictures[path] != nil && burst.isUntouched(path)
        case .rename(let path, let other): permitsRenaming(path, to: other)
        case .exchange(let path, let other): permitsExchange(path, other)
        case .swap(let path, let other):
            !isRunning && !burst.isLive && permitsExchange(path, other)
        case .delete(let path): permitsRemoval(of: path) && burst.isUntouched(path)
        case .say(_, let path): permitsWords(about: path)
        case .unsay(let path): words[path] != nil && burst.isUntouched(path)
        case .entitle(let folder, _):
            burst.isOpen(folder + "/title.txt") && holdsPictures(folder)
        case .describe(let folder, _):
            holdsPictures(folder) && sisters(folder).allSatisfy { burst.isUntouched(folder: $0) }
        case .renameFolder(let folder, let other): permitsRenaming(folder: folder, to: other)
        case .deleteFolder(let folder): permitsDeleting(folder: folder)
        case .start, .stop, .kill, .settle, .rebuild, .moveDrop: false
        }
    }

    /// Whether manifests tell all stickers apart: by category, name and bytes.
    private var areDistinct: Bool {
        let shown = stickers.filter { !$0.isRemoved }
        return Set(shown.map { "\($0.category) \($0.picture) \($0.name.file)" }).count
            == shown.count
    }

    /// Whether a sticker was removed that a picture would bring back.
    func hasRemoved(_ picture: Int) -> Bool {
        stickers.contains { $0.isRemoved && $0.picture == picture }
    }

    /// The folders of the same category, the folder among them.
    func sisters(_ folder: String) -> [String] { folders[folder].map(folders(of:)) ?? [] }

    private func holdsPictures(_ folder: String) -> Bool {
        folder.components <= 2
            && pictures.keys.contains { $0.categoryFolder == folder }
    }

    // MARK: Pictures

    private func permitsWriting(_ picture: Int, _ path: String) -> Bool {
        if pictures[path] != nil {
            return burst.isUntouched(path) || burst.isOpen(path) && burst.overwritten.contains(path)
        }
        guard !directories.contains(path), isFree(path), isCategoryKnown(path),
            !hasDouble(picture, path)
        else { return false }
        // One of several removed stickers with these bytes has to come first, and of several new files only one
        // may be it.
        let removed = stickers.indices.filter {
            stickers[$0].isRemoved && stickers[$0].picture == picture
        }
        let isClear =
            removed.count < 2
            || burst.removedStickers.isDisjoint(with: removed)
                && returning(picture, PictureName(of: path), folders[path.categoryFolder] ?? -1)
                    .count == 1
        return isClear && !burst.returned.contains(picture)
            && !burst.movedPictures.contains(picture)
            && (removed.isEmpty || !burst.born.contains(picture))
    }

    /// Whether a picture may be saved in another format, so that one left and one came.
    private func permitsReformatting(_ picture: Int, _ path: String, _ other: String) -> Bool {
        pictures[path] != nil && path.isFormat(of: other) && burst.isUntouched(path)
            && burst.isUntouched(other) && burst.isAlone(path) && formats(of: path).isEmpty
            && !isTwinBorn(path)
            && !directories.contains(other) && !stickers.contains { $0.picture == picture }
            && burst.removedStickers.count < Self.removalsMax
    }

    /// The pictures that differ from this one in their format alone.
    private func formats(of path: String) -> [String] {
        pictures.keys.filter { $0.isFormat(of: path) }
    }

    /// Whether a name that no picture has may be taken now.
    private func isFree(_ path: String) -> Bool {
        drops.contains { path.isBelow($0) } && burst.isAlone(path)
            && (burst.isUntouched(path) || burst.isOpen(path) && burst.vacated.contains(path))
    }

    /// Whether a manifest could not tell a new sticker from one that is there.
    private func hasDouble(_ picture: Int, _ path: String) -> Bool {
        let folder = path.categoryFolder.lastComponent
        return pictures.contains { other, sticker in
            other.lastComponent == path.lastComponent && stickers[sticker].picture == picture
                && (other.categoryFolder.lastComponent == folder
                    || stickers[sticker].category == folders[path.categoryFolder])
        }
    }

    /// While a folder goes away, a new one might be taken for it.
    private func isCategoryKnown(_ path: String) -> Bool {
        folders[path.categoryFolder] != nil || !burst.hasDeletedFolder
    }

    private func permitsRenaming(_ path: String, to other: String) -> Bool {
        guard pictures[path] != nil, path != other, !directories.contains(other),
            burst.isUntouched(path) || mayMoveOn(path, to: other)
        else { return false }
        guard pictures[other] == nil else {
            return burst.isUntouched(other) && burst.isUntouched(path) && permitsRemoval(of: path)
        }
        return isFree(other) && isCategoryKnown(other) && !burst.makesCircle(path, to: other)
            && !isTwinBorn(path)
    }

    /// Whether a file that was moved may be moved again. Nobody may see it where it is now, so nothing may be said of
    /// it there; and it stays in its folder, where another file may have its first name by now.
    private func mayMoveOn(_ path: String, to other: String) -> Bool {
        burst.isOpen(path) && burst.origins[path]?.parent == other.parent
            && saidByName(about: path).isEmpty
    }

    private func permitsExchange(_ path: String, _ other: String) -> Bool {
        path != other && pictures[path] != nil && pictures[other] != nil
            && burst.isUntouched(path) && burst.isUntouched(other)
    }

    /// Whether a new file has the bytes of this one: if this one goes, the new one might have its id, or come too
    /// early for that.
    private func isTwinBorn(_ path: String) -> Bool {
        pictures[path].map { burst.born.contains(stickers[$0].picture) } ?? false
    }

    private func permitsRemoval(of path: String) -> Bool {
        pictures[path] != nil && burst.removedStickers.count < Self.removalsMax
            && !isTwinBorn(path) && burst.isAlone(path) && formats(of: path).isEmpty
    }

    private func permitsWords(about path: String) -> Bool {
        guard burst.isUntouched(path) else { return false }
        return pictures[path] != nil
            || directories.contains(path.parent) && holdsPictures(path.categoryFolder)
    }

    // MARK: Folders

    private func permitsRenaming(folder: String, to other: String) -> Bool {
        let inside = pictures.filter { $0.key.isBelow(folder) }
        let parent = other.parent
        guard directories.contains(folder), !inside.isEmpty, !directories.contains(other),
            pictures[other] == nil, other != folder, !other.isBelow(folder),
            drops.contains(parent) || directories.contains(parent),
            burst.isUntouched(folder: folder), burst.isUntouched(folder: other)
        else { return false }
        guard folder.components == 2, other.components == 2 else {
            let kinds = Set(inside.values.map { stickers[$0].picture })
            return isCategoryKnown(other + "/x") && kinds.count == inside.count
                && inside.count <= Self.removalsMax && !burst.hasNewFolder
        }
        // A name that means a category already stays with it.
        let isTaken = folders.keys.contains {
            $0.lastComponent == other.lastComponent && $0 != folder
        }
        return !isTaken && !burst.hasNewFolder && isAlone(folder)
    }

    /// Whether the other folders of a category are pictures' folders or hold nothing.
    private func isAlone(_ folder: String) -> Bool {
        let others = folders.filter { $0.value == folders[folder] && $0.key != folder }.keys
        return others.allSatisfy { other in
            pictures.keys.contains { $0.categoryFolder == other }
                || titles[other] == nil && categoryFiles[other] == nil
                    && !words.keys.contains { $0.categoryFolder == other }
        }
    }

    private func permitsDeleting(folder: String) -> Bool {
        let inside = pictures.filter { $0.key.isBelow(folder) }
        return directories.contains(folder) && burst.isUntouched(folder: folder)
            && !burst.hasNewFolder
            && burst.removedStickers.count + inside.count <= Self.removalsMax
            && inside.values.allSatisfy { !burst.born.contains(stickers[$0].picture) }
            && inside.keys.allSatisfy { formats(of: $0).isEmpty }
    }
}
