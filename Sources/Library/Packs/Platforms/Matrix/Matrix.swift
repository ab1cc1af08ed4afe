import StickerValues

/// Matrix: image packs of rooms (https://spec.matrix.org/latest/client-server-api/#image-packs), and the sticker picker
/// widget (https://github.com/maunium/stickerpicker).
///
/// Both refer to pictures by addresses that exist only after the upload. They are left out here: `file` is the picture
/// beside the JSON, and a script of the operator uploads it and sets `url` instead.
struct Matrix: PackMaking {
    let platform = PackPlatform.matrix
    /// An event of a hundred pictures has 600 bytes for each, half of them for its text.
    let rules = PartRules(most: 100)
    /// State events, and the folder `packs` of the sticker picker.
    let forms = ["json", "maunium"]

    /// Limits of an event in the specification, and assumptions about the parts that servers add.
    private enum Limits {
        /// Bytes of an event between servers.
        static let eventBytesMax = 65_536
        /// Bytes for its room, sender, predecessors, hashes and signatures.
        static let envelopeBytes = 4096
        /// Bytes of an address: the name of the server and a media id.
        static let addressBytes = 128
    }

    /// Pictures against the target, names, and the size of the event.
    func lint(_ pack: Pack, _ target: Target?) -> [Finding] {
        pack.pictureFindings(target)
            + pack.nameFindings("1 to 100 letters, digits, _ and -") {
                $0.wholeMatch(of: /[A-Za-z0-9_-]{1,100}/) != nil
            } + size(of: pack)
    }

    private func size(of pack: Pack) -> [Finding] {
        let address = String(repeating: "x", count: Limits.addressBytes)
        let bytes = MatrixImagePack(pack, uploadedTo: address).bytes + Limits.envelopeBytes
        guard bytes > Limits.eventBytesMax else { return [] }
        return [
            Finding(
                "event-bytes", pack: pack.identifier, "the pack does not fit into an event",
                measured: "\(bytes.grouped) B", limit: "\(Limits.eventBytesMax.grouped) B",
                remedy: "shorten titles and accessibility texts of its stickers")
        ]
    }

    func files(of packs: [Pack], as form: String) -> [PackFile] {
        form == "maunium" ? stickerPicker(packs) : packs.flatMap(stateEvent)
    }

    private func stateEvent(_ pack: Pack) -> [PackFile] {
        let avatar = pack.tray.map { PackFile("\(pack.identifier).png", .picture($0)) }
        return pictures(of: pack) + [avatar].compactMap(\.self)
            + [PackFile("\(pack.identifier).json", json: MatrixImagePack(pack))]
    }

    private func stickerPicker(_ packs: [Pack]) -> [PackFile] {
        packs.flatMap { pack in
            pictures(of: pack, below: "packs/")
                + [PackFile("packs/\(pack.identifier).json", json: MauniumPack(pack))]
        } + [PackFile("packs/index.json", json: ["packs": packs.map { "\($0.identifier).json" }])]
    }

    private func pictures(of pack: Pack, below folder: String = "") -> [PackFile] {
        pack.stickers.map {
            PackFile("\(folder)\(pack.identifier)/\($0.identifier)", pictureOf: $0)
        }
    }
}
