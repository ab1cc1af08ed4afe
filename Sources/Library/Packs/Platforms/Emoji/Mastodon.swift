import StickerConfiguration
import StickerValues

/// Mastodon's custom emoji, as `tootctl emoji import` reads them (https://docs.joinmastodon.org/admin/tootctl/#emoji).
struct Mastodon: PackMaking {
    let platform = PackPlatform.mastodon
    /// One pack for each category.
    let rules = PartRules()
    /// An archive for each pack.
    let forms = ["tar"]

    /// The limit of servers before 4.0, in bytes. They also drop larger emoji from other servers.
    private static let oldBytesMax = 50 * 1024

    /// Pictures against the target and older servers, and names.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.pictureFindings(target)
            // Its importer silently skips other files of the archive.
            + pack.formatFindings(platform, target, reading: [.gif, .png])
            + pack.nameFindings("letters, digits and _") {
                $0.wholeMatch(of: /[A-Za-z0-9_]+/) != nil
            }
            + shortNames(pack) + largeForOldServers(pack)
    }

    private func shortNames(_ pack: Pack) -> [Finding] {
        pack.stickers.filter { $0.identifier.rawValue.count == 1 }.map { sticker in
            Finding(
                "name-changed", .warning, pack: pack.identifier, sticker: sticker.identifier,
                file: sticker.source, "the id is too short, the name is \(Self.shortcode(sticker))",
                measured: "1 character", limit: "at least 2",
                remedy: "\(stickerctl: "new-id \(sticker.identifier)")")
        }
    }

    private func largeForOldServers(_ pack: Pack) -> [Finding] {
        let large = pack.stickers.map(\.picture.bytes).filter { $0 > Self.oldBytesMax }
        guard let largest = large.max() else { return [] }
        return [
            Finding(
                "old-servers", .warning, pack: pack.identifier,
                large.count.counted("file is", "files are")
                    + " too large for servers before Mastodon 4.0",
                measured: "up to \(largest.grouped) B", limit: "\(Self.oldBytesMax.grouped) B",
                remedy: "if they matter, set targets.mastodon.still.bytesMax and "
                    + "targets.mastodon.moving.bytesMax to 50000 in config.json")
        ]
    }

    /// The name typed between colons, of at least two characters. No id begins with `_`, so it is unique.
    private static func shortcode(_ sticker: PackSticker) -> String {
        let id = sticker.identifier.rawValue
        return id.count == 1 ? "_\(id)" : id
    }

    func files(of packs: [Pack], as form: String) -> [PackFile] {
        packs.map { pack in
            let pictures = pack.stickers.map { PackFile(Self.shortcode($0), pictureOf: $0) }
            return PackFile("\(pack.identifier).tar.gz", .archive(.tarGzip, pictures))
        }
    }
}
