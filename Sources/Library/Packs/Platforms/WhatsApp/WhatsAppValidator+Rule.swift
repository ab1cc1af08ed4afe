import StickerValues

extension WhatsAppValidator {
    /// A reason for which WhatsApp refuses an app, a pack or a sticker.
    ///
    /// The letters stand for the refusing stage: P for the parser of the manifest, L for the loader and V for the
    /// validator of the Android sample, I for the iOS sample, C for undocumented but known refusals of WebP containers.
    /// Rules without another note apply to both kinds of apps.
    public enum Rule: String, Hashable, Sendable, Codable, CaseIterable {
        // MARK: Parser

        /// The manifest is not a JSON object, or its top level has a value of the wrong kind or, on
        /// Android, an unknown key.
        case p1 = "P1"
        /// `sticker_packs` is empty.
        case p2 = "P2"
        /// A pack lacks a required value, or has one of the wrong kind.
        case p3 = "P3"
        /// Android: the identifier, which names a folder, contains `..` or `/`.
        case p4 = "P4"
        /// A sticker is not an object or, on Android, has an unknown key or a value of the wrong kind.
        case p5 = "P5"
        /// A sticker names no file.
        case p6 = "P6"
        /// Android: the file name of a sticker does not end in `.webp`.
        case p7 = "P7"
        /// The file name of a sticker contains `..` or `/`.
        case p8 = "P8"

        // MARK: Loader

        /// Android: two packs have the same identifier.
        case l1 = "L1"
        /// There is no `sticker_packs`.
        case l2 = "L2"
        /// A file that the manifest names is missing.
        case l3 = "L3"
        /// Android: a file has no bytes.
        case l4 = "L4"

        // MARK: Validator

        /// The identifier is too long.
        case v01 = "V01"
        /// Android: the identifier has a character that is not allowed.
        case v02 = "V02"
        /// The name or the publisher is too long.
        case v03 = "V03"
        /// Android: the link to the Play Store leads elsewhere.
        case v04 = "V04"
        /// Android: the link to the App Store leads elsewhere.
        case v05 = "V05"
        /// Android: a website is not a web address.
        case v06 = "V06"
        /// Android: the publisher's e-mail address is not valid.
        case v07 = "V07"
        /// The tray picture has too many bytes, cannot be read or, on Android, has sides out of range.
        case v08 = "V08"
        /// The pack has too few or too many stickers.
        case v09 = "V09"
        /// A sticker has too many emojis or, on Android, none, or a comma in one.
        case v10 = "V10"
        /// The accessibility text of a sticker is too long.
        case v11 = "V11"
        /// A sticker has too many bytes.
        case v12 = "V12"
        /// A sticker cannot be read, or has the wrong size in pixels.
        case v13 = "V13"
        /// An animation is too short, too long, or has a frame that is too short.
        case v14 = "V14"
        /// Android: a sticker of a static pack moves.
        case v15 = "V15"

        // MARK: iOS

        /// iOS: the tray picture does not have exactly the required size.
        case i1 = "I1"
        /// iOS: the tray picture moves.
        case i2 = "I2"
        /// iOS: the extension of a file is neither `png` nor `webp`.
        case i3 = "I3"
        /// iOS: a file has no bytes.
        case i4 = "I4"
        /// iOS: a pack has no identifier, or that of another.
        case i5 = "I5"
        /// iOS: a sticker moves in a static pack, or stands still in an animated one.
        case i6 = "I6"

        // MARK: Container

        /// Sizes and padding do not add up, or bytes follow the last chunk.
        case c1 = "C1"
        /// The chunks are not those of a still or an animation, in their order.
        case c2 = "C2"
        /// The VP8X chunk does not match the content of the file.
        case c3 = "C3"
        /// A frame exceeds the canvas or has a wrong header.
        case c4 = "C4"
        /// There is a colour profile, XMP, or EXIF other than WhatsApp's own.
        case c5 = "C5"

        /// Metadata is not known to be refused, but may reveal more than its owner wants.
        var severity: Finding.Severity { self == .c5 ? .warning : .fault }
    }
}
