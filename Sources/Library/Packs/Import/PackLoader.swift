import StickerContainers
import StickerValues

/// Reads the pictures of packs and builds the folders of their categories.
///
/// The pictures of all packs share one limit, so a description that lists one file a thousand times writes no more than
/// others.
public struct PackLoader {
    private let tree: any PackTree
    private let limits: ImportLimits
    private var bytesLeft: Int
    private var folders = FileNames()
    /// The faults of everything left out so far.
    public private(set) var faults: [ImportFault] = []

    /// Creates a loader of packs in a tree.
    public init(_ tree: some PackTree, limits: ImportLimits = ImportLimits()) {
        self.tree = tree
        self.limits = limits
        bytesLeft = limits.totalBytesMax
    }

    /// The folder of a pack's category. Invalid pictures are left out; see `faults`.
    ///
    /// - Parameters:
    ///   - pack: one of the packs in the tree.
    ///   - name: the folder's name, if other than the pack's.
    /// - Returns: the folder, under a name unique to this loader.
    /// - Throws: `ImportFault` with the rule `no-pictures` if no picture is left.
    public mutating func folder(
        of pack: ImportedPack, named name: String? = nil
    ) throws(ImportFault) -> CategoryFolder {
        var folder = CategoryFolder(pack)
        if let name { folder.name = name }
        var seen: Set<String> = []
        for sticker in pack.stickers.prefix(limits.stickersMax) {
            guard seen.insert(sticker.path).inserted else {
                leaveOut(
                    ImportFault(
                        .listedTwice, sticker.path, "the pack lists it again; it is taken once",
                        limit: "once", remedy: "nothing, if that is right"))
                continue
            }
            if let picture = picture(sticker.path) { folder.add(sticker, picture) }
        }
        guard folder.stickers > 0 else {
            throw ImportFault(
                .noPictures, pack.name, "no picture of this pack can be taken",
                measured: "0 of \(pack.stickers.count.grouped)",
                limit: "at least 1 picture that is \(ImageFormat.namesOfAll)",
                remedy: "put its pictures into the places that its description names")
        }
        if let fault = limits.fault(ofPack: pack.name, stickers: pack.stickers.count) {
            leaveOut(fault)
        }
        if let cover = pack.cover.flatMap({ picture($0) }) { folder.add(cover: cover) }
        folder.add(pack.words, isOrdered: pack.isOrdered)
        folder.name = folders.claim(folder.name)
        return folder
    }

    private mutating func picture(_ path: String) -> LoadedPicture? {
        do throws(ImportFault) {
            let bytes = try tree.bytes(at: path, atMost: min(limits.pictureBytesMax, bytesLeft))
            bytesLeft -= bytes.count
            switch ImageFormat.sniff(SourceBytes(Array(bytes.prefix(4096)))) {
            case .picture(let format): return LoadedPicture(bytes: bytes, format: format)
            case .foreign(let what): throw notAPicture(path, what)
            case .unknown: throw notAPicture(path, bytes.isEmpty ? "an empty file" : "unknown")
            }
        } catch {
            leaveOut(error)
            return nil
        }
    }

    private mutating func leaveOut(_ fault: ImportFault) {
        if faults.count < 1000 { faults.append(fault) }
    }

    private func notAPicture(_ path: String, _ what: String) -> ImportFault {
        ImportFault(
            .notAPicture, path, "it is not a picture that stickerd reads", measured: what,
            limit: ImageFormat.namesOfAll, remedy: "save it as one of these")
    }
}

extension ImportFault {
    /// Checks a folder name from an operator.
    ///
    /// - Parameter name: the name.
    /// - Throws: `ImportFault` with the rule `bad-name` if stickerd would ignore such a folder.
    public static func check(folderName name: String) throws(ImportFault) {
        let taken = name.asFileName()
        guard taken != name else { return }
        throw ImportFault(
            .badName, name, "a folder cannot have this name",
            limit: "a name like \(taken ?? "cats"), of at most 160 bytes",
            remedy: "give another --category")
    }
}
