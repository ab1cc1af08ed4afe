import StickerValues

/// The files that a pack names.
extension WhatsAppValidator.Inspection {
    /// An existing file.
    struct File {
        let bytes: [UInt8]
        /// Identifies the file in findings about its content.
        let place: Place
    }

    /// Fetches a file of a pack, and notes a missing or empty one.
    ///
    /// - Parameters:
    ///   - name: from the manifest.
    ///   - pack: the pack; if its identifier is no folder name, which has been noted, the result is `nil`.
    ///   - place: the value that names the file.
    ///   - file: returns the bytes of a file by its path.
    /// - Returns: the file; `nil` if there is none.
    mutating func fetch(
        _ name: String, of pack: AppManifest.Pack, _ place: Place, _ file: (String) -> [UInt8]?
    ) -> File? {
        guard let path = path(of: name, in: pack) else { return nil }
        var place = place
        place.file = path
        guard name.isFileName, let bytes = file(path) else {
            note(
                .l3, place, "there is no file \(path.shown)", measured: "no file", limit: "a file",
                remedy: "put the file there, or correct its name in the manifest")
            return nil
        }
        guard !bytes.isEmpty else {
            note(
                app == .android ? .l4 : .i4, place, "the file is empty", measured: "0 bytes",
                limit: "1 byte or more", remedy: "export the file again")
            return nil
        }
        return File(bytes: bytes, place: Place(pack: place.pack, file: path))
    }

    /// The path of a pack's file in the folder of the app.
    func path(of name: String, in pack: AppManifest.Pack) -> String? {
        guard app == .android else { return name }
        guard let folder = pack.identifier, folder.isFileName else { return nil }
        return "\(folder)/\(name)"
    }

    /// The format that the iOS sample expects of a file; notes an unknown extension.
    mutating func format(of name: String, _ place: Place) -> ImageFormat? {
        let known: [Substring: ImageFormat] = ["png": .png, "webp": .webp]
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
        let ending = dot.map { name[name.index(after: $0)...] } ?? ""
        if let format = known[ending] { return format }
        note(
            .i3, place, "the file is neither .png nor .webp by its name",
            measured: ending.isEmpty ? "no extension" : ".\(ending)".shown, limit: ".png or .webp",
            remedy: "export the picture as PNG or WebP, with its extension in small letters")
        return nil
    }

    /// Notes a file with more bytes than `most`.
    mutating func checkBytes(_ rule: Rule, _ file: File, most: Int, remedy: String) {
        guard file.bytes.count > most else { return }
        note(
            rule, file.place, "the file is too large", measured: "\(file.bytes.count) bytes",
            limit: "\(most) bytes", remedy: remedy)
    }

    /// Reads the headers of a picture; notes an unreadable one.
    mutating func read(_ file: File, as format: ImageFormat, _ rule: Rule) -> PictureFile? {
        if let picture = PictureFile(file.bytes, as: format) { return picture }
        note(
            rule, file.place, "the picture cannot be read",
            measured: PictureFile.name(of: file.bytes, insteadOf: format),
            limit: "a whole \(format.name)", remedy: "export the picture again as \(format.name)")
        return nil
    }
}
