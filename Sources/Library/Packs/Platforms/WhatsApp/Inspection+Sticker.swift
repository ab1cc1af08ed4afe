import StickerValues

/// Stickers and their files.
extension WhatsAppValidator.Inspection {
    private typealias Limits = WhatsAppValidator.Limits

    /// Checks a sticker in the manifest, and its file.
    mutating func check(
        _ sticker: AppManifest.Sticker, of pack: AppManifest.Pack, _ file: (String) -> [UInt8]?
    ) {
        var sticker = sticker
        sticker.place.file = sticker.imageFile.flatMap { path(of: $0, in: pack) }
        checkEmojis(of: sticker)
        let picture = checkFile(of: sticker, pack, file)
        checkText(of: sticker, isAnimated: isAnimated(picture, of: pack))
    }

    /// The Android sample relies on the manifest, the iOS sample on the file.
    private func isAnimated(_ picture: PictureFile?, of pack: AppManifest.Pack) -> Bool {
        app == .android ? pack.isAnimated : picture?.moves ?? pack.isAnimated
    }

    private mutating func checkEmojis(of sticker: AppManifest.Sticker) {
        guard let emojis = sticker.emojis else { return }
        let place = sticker.place.key("emojis")
        let (count, least) = (emojis.count, app == .android ? 1 : 0)
        if count < least || count > Limits.emojisMax {
            note(
                .v10, place, "the sticker has \(count < least ? "no emoji" : "too many emojis")",
                measured: "\(count) emojis", limit: "\(least) to \(Limits.emojisMax) emojis",
                remedy: count < least
                    ? "give the sticker a fitting emoji"
                    : "keep the \(Limits.emojisMax) emojis that fit best")
        }
        // Android joins them by commas before passing them to WhatsApp.
        guard app == .android,
            let emoji = emojis.first(where: { $0.utf8.contains(UInt8(ascii: ",")) })
        else {
            return
        }
        note(
            .v10, place, "an emoji contains a comma", measured: emoji.shown, limit: "no commas",
            remedy: "write each emoji as a text of its own")
    }

    private mutating func checkText(of sticker: AppManifest.Sticker, isAnimated: Bool) {
        checkLength(
            .v11, sticker.accessibilityText, sticker.place.key("accessibility_text"),
            "the accessibility text",
            most: Limits.accessibilityTextLengthMax(isAnimated: isAnimated))
    }

    // MARK: Files

    /// Checks the file of a sticker and returns the facts in its headers; `nil` if they cannot be read.
    private mutating func checkFile(
        of sticker: AppManifest.Sticker, _ pack: AppManifest.Pack, _ file: (String) -> [UInt8]?
    ) -> PictureFile? {
        let place = sticker.place.key("image_file")
        guard let name = sticker.imageFile, hasRightName(name, place),
            let file = fetch(name, of: pack, place, file),
            let format = app == .android ? .webp : format(of: name, file.place)
        else { return nil }
        let picture = read(file, as: format, .v13)
        let isAnimated = isAnimated(picture, of: pack)
        checkBytes(
            .v12, file, most: Limits.stickerBytesMax(isAnimated: isAnimated),
            remedy: isAnimated
                ? "export with a lower quality or fewer frames" : "export with a lower quality")
        guard let picture else { return nil }
        checkPicture(picture, file.place, of: pack)
        if format == .webp { checkContainer(of: file, picture) }
        return picture
    }

    private mutating func hasRightName(_ name: String, _ place: Place) -> Bool {
        if app == .android, !name.hasSuffix(".webp") {
            note(
                .p7, place, "the file name does not end in .webp", measured: name.shown,
                limit: ".webp",
                remedy: "export the sticker as WebP")
        }
        if !name.isFileName {
            note(
                .p8, place, "the file name has .. or / in it", measured: name.shown,
                limit: "neither .. nor /",
                remedy: "put the file into the folder of the pack, and give only its name")
        }
        return name.isFileName
    }

    private mutating func checkPicture(
        _ picture: PictureFile, _ place: Place, of pack: AppManifest.Pack
    ) {
        if picture.size != .sticker {
            note(
                .v13, place, "the sticker has the wrong size", measured: "\(picture.size)",
                limit: "\(PixelSize.sticker)",
                remedy: "fit the picture into \(PixelSize.sticker) pixels")
        }
        if picture.moves != pack.isAnimated { noteMixture(picture, place, of: pack) }
        if picture.moves, isAnimated(picture, of: pack) { checkTimes(of: picture, place) }
    }

    private mutating func noteMixture(
        _ picture: PictureFile, _ place: Place, of pack: AppManifest.Pack
    ) {
        let rule: Rule = app == .ios ? .i6 : pack.isAnimated ? .v14 : .v15
        note(
            rule, place,
            pack.isAnimated
                ? "the sticker of an animated pack is a still"
                : "the sticker of a static pack moves",
            measured: picture.frames == 1 ? "1 frame" : "\(picture.frames) frames",
            limit: pack.isAnimated ? "2 frames or more" : "1 frame",
            remedy: pack.isAnimated
                ? "put the sticker into a static pack" : "put the sticker into an animated pack")
    }

    private mutating func checkTimes(of picture: PictureFile, _ place: Place) {
        let times = picture.frameMilliseconds ?? []
        let (least, most) = (Limits.frameMillisecondsMin, Limits.animationMillisecondsMax)
        if let index = times.firstIndex(where: { $0 < least }) {
            let count = times.count { $0 < least }
            note(
                .v14, place,
                count == 1
                    ? "frame \(index) of \(times.count) is too short"
                    : "frame \(index) of \(times.count) and \(count - 1) more are too short",
                measured: "\(times[index]) ms", limit: "\(least) ms or more",
                remedy: "join short frames with those beside them")
        }
        let total = times.reduce(0, +)
        guard total > most else { return }
        note(
            .v14, place, "the animation is too long", measured: "\(total) ms", limit: "\(most) ms",
            remedy: "cut the animation, or play it faster")
    }
}
