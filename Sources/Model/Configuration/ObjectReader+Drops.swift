import StickerValues

extension ObjectReader {
    /// Reads a list of folders: paths, or objects with a path and a name.
    mutating func drops(
        _ key: String, _ target: inout [DropFolder], isPath: (String) -> Bool
    ) {
        guard let value = take(key) else { return }
        let wanted = "a list of 1 to 64 different folders"
        guard case .array(let items) = value, (1...64).contains(items.count) else {
            return fault(key, value, wanted)
        }
        let list = subpath(key)
        let drops = items.enumerated().compactMap { index, item -> DropFolder? in
            switch item {
            case .string(let path): return isPath(path) ? DropFolder(path: path) : nil
            case .object:
                var reader = ObjectReader(
                    item, path: "\(list)[\(index)]", findings: findings)
                let drop = reader.drop(isPath: isPath)
                reader.finish()
                return drop
            default: return nil
            }
        }
        let names = drops.compactMap(\.name)
        guard drops.count == items.count, Set(drops.map(\.path)).count == drops.count else {
            return fault(key, value, wanted)
        }
        guard Set(names).count == names.count else {
            return note(key, "two folders have the same name")
        }
        guard !drops.contains(where: \.isShipped) else {
            return note(
                key,
                "the name \(ShippedTemplates.dropName) is that of stickerd's own folder; "
                    + "use another one, or set smart.enabled to have its stickers")
        }
        target = drops
    }

    private mutating func drop(isPath: (String) -> Bool) -> DropFolder {
        var drop = DropFolder(path: "")
        string("path", &drop.path, "a folder", where: isPath)
        optionalString(
            "name", &drop.name, "1 to 60 of the characters a-z, 0-9, _ and -",
            where: Self.isDropName)
        if members["path"] == nil { note("path", "is missing") }
        return drop
    }

    private static func isDropName(_ text: String) -> Bool {
        (1...60).contains(text.utf8.count)
            && text.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_-".utf8.contains($0) }
    }
}
