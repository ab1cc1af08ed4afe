import StickerValues

/// The tray picture of a pack.
extension WhatsAppValidator.Inspection {
    private typealias Limits = WhatsAppValidator.Limits

    /// Checks the bytes, the size and the kind of a tray picture.
    ///
    /// The Android sample passes it on as PNG, whatever its name; the iOS sample relies on the name.
    mutating func checkTray(of pack: AppManifest.Pack, _ file: (String) -> [UInt8]?) {
        let place = pack.place.key("tray_image_file")
        guard let name = pack.trayFile, let tray = fetch(name, of: pack, place, file) else {
            return
        }
        checkBytes(
            .v08, tray, most: Limits.trayBytesMax,
            remedy: "export the tray picture as a PNG of fewer colours")
        guard let format = app == .android ? .png : format(of: name, tray.place),
            let picture = read(tray, as: format, .v08)
        else { return }
        switch app {
        case .android: checkTraySides(picture.size, tray.place)
        case .ios: checkTrayForIOS(picture, tray.place)
        }
    }

    private mutating func checkTraySides(_ size: PixelSize, _ place: Place) {
        let sides = Limits.traySides
        guard !sides.contains(size.width) || !sides.contains(size.height) else { return }
        note(
            .v08, place,
            "the tray picture is too \(size.longSide > sides.upperBound ? "large" : "small")",
            measured: "\(size)", limit: "\(sides.lowerBound) to \(sides.upperBound) pixels a side",
            remedy: "scale the tray picture to \(Limits.traySize) pixels")
    }

    private mutating func checkTrayForIOS(_ picture: PictureFile, _ place: Place) {
        if picture.size != Limits.traySize {
            note(
                .i1, place, "the tray picture has the wrong size", measured: "\(picture.size)",
                limit: "\(Limits.traySize)",
                remedy: "scale the tray picture to \(Limits.traySize) pixels")
        }
        if picture.moves {
            note(
                .i2, place, "the tray picture moves", measured: "\(picture.frames) frames",
                limit: "1 frame", remedy: "export one frame of it as a PNG")
        }
    }
}
