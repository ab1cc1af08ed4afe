import StickerConfiguration
import StickerStore
import StickerValues

/// The effect of the next start on a drop.
public struct DropPlan: Encodable {
    /// The kind of change.
    public enum Change: String, Encodable {
        case moved, new, away, unlisted, leaving
    }

    /// Its present or last path.
    public let path: String
    /// The change.
    public let change: Change
    /// Its former path, if it was moved.
    public let from: String?
    /// The number of its stickers; they keep their ids.
    public let stickers: Int

    init(_ outlook: DropOutlook) {
        switch outlook {
        case .moved(let drop):
            (path, change, from, stickers) = (drop.path, .moved, drop.from, drop.stickers)
        case .new(let path): (self.path, change, from, stickers) = (path, .new, nil, 0)
        case .away(let path): (self.path, change, from, stickers) = (path, .away, nil, 0)
        case .unlisted(let drop):
            (path, change, from, stickers) = (drop.path, .unlisted, nil, drop.stickers)
        case .leaving(let drop):
            (path, change, from, stickers) = (drop.path, .leaving, nil, drop.stickers)
        }
    }

    /// One line.
    public var sentence: String {
        let name = "drop \(FileName.escaped(path))"
        let count = stickers.counted("sticker", "stickers")
        switch change {
        case .moved:
            return "\(name): moved from \(FileName.escaped(from ?? "")), \(count) with their ids"
        case .new: return "\(name): new, its pictures become stickers"
        case .away: return "\(name): nothing is there yet"
        case .leaving: return "\(name): smart.enabled is off, its \(count) leave"
        case .unlisted:
            return "\(name): not listed any more, its \(count) stay published; to remove them: "
                + "\(stickerctl: "confirm-delete \(FileName.escaped(path).asShellWord)")"
        }
    }
}
