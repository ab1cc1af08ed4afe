import StickerValues

extension ImportFault {
    /// No known pack: names the probable kind of the files, and the way to import the pictures.
    static func noPack(in files: inout PackFiles) -> ImportFault {
        let tree = files.tree
        if let path = files.paths.first(where: ArchiveName.ends) {
            return noPack(
                path, "archives in a folder are not opened, except those of sticker makers",
                "name the archive itself")
        }
        let folders = files.folders.filter { !files.pictures(in: $0).isEmpty }
        if folders.isEmpty, !files.paths.isEmpty {
            return noPack(
                tree.name, "there are no pictures in it", "name the folder that has them, too")
        }
        if folders.count > 1 {
            let names = folders.prefix(5).map { $0.isEmpty ? "." : $0 }.joined(separator: ", ")
            return noPack(
                tree.name, "the pictures lie in several folders, and no file describes the packs",
                "name one of the folders: \(names)", measured: "\(folders.count.grouped) folders",
                limit: "1 folder")
        }
        return noPack(
            tree.name, "nothing in it is a known form of pack",
            "name the folder that has one of these",
            measured: tree.paths.count.counted("file", "files"),
            limit: "pictures in one folder, or beside contents.json, *.wasticker, title.txt, "
                + "menu@2x.png, *.stickerpack, or the JSON of Discord, maunium, Matrix, Misskey, Slack, Telegram "
                + "or Zulip")
    }

    private static func noPack(
        _ file: String, _ detail: String, _ remedy: String, measured: String? = nil,
        limit: String? = nil
    ) -> ImportFault {
        ImportFault(.noPack, file, detail, measured: measured, limit: limit, remedy: remedy)
    }
}
