public import StickerValues

extension ImageFormat {
    /// Recognizes the type of `bytes` by the first few of them. Nothing is parsed.
    ///
    /// The signatures are from the formats' specifications and the `file` database.
    public static func sniff(_ bytes: SourceBytes) -> SniffedType {
        bytes.withUnsafeBytes { bytes in
            if let format = picture(bytes) { return .picture(format) }
            let name = riffOrBox(bytes) ?? foreign(bytes) ?? text(bytes)
            return name.map { .foreign($0) } ?? .unknown
        }
    }

    /// Four bytes identify a PNG, so that one damaged by a text-mode transfer is still recognised.
    private static func picture(_ bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        if bytes.bigEndian32(at: 0) == 0x8950_4E47 { return .png }
        if bytes.bigEndian16(at: 0) == 0xFFD8 { return .jpeg }
        if bytes.has("GIF8") { return .gif }
        if bytes.has("RIFF"), bytes.has("WEBP", at: 8) { return .webp }
        if BMPHeader.begins(bytes) { return .bmp }
        // Raw pictures of Canon begin as a TIFF.
        if TIFFOutline.begins(bytes), !bytes.has("CR", at: 8) { return .tiff }
        return HEIFOutline.format(bytes) ?? (SVGOutline.begins(bytes) ? .svg : nil)
    }

    /// Containers that name their content a few bytes in.
    private static func riffOrBox(_ bytes: UnsafeRawBufferPointer) -> String? {
        if bytes.has("RIFF") { return "a RIFF file" }
        guard bytes.has("ftyp", at: 4) else { return nil }
        let brands: [(StaticString, String)] = [
            ("mif1", "a HEIF picture"), ("msf1", "a HEIF picture"),
            ("crx ", "a Canon raw picture"), ("qt  ", "a QuickTime film"),
        ]
        return brands.first { bytes.has($0.0, at: 8) }?.1 ?? "an MP4 film"
    }

    private static func foreign(_ bytes: UnsafeRawBufferPointer) -> String? {
        let heads: [(StaticString, String)] = [
            ("8BPS", "a Photoshop file"), ("gimp xcf", "a GIMP file"),
            ("qoif", "a QOI picture"), ("DDS ", "a DDS texture"), ("%PDF", "a PDF file"),
            ("%!PS", "a PostScript file"), ("PK\u{3}\u{4}", "a ZIP archive"),
            ("Rar!", "a RAR archive"), ("7z\u{BC}", "a 7-Zip archive"),
            ("\u{7F}ELF", "a program"), ("MZ", "a program"), ("#!", "a script"),
            ("FORM", "an IFF file"), ("SIMPLE  =", "a FITS picture"),
        ]
        if let name = heads.first(where: { bytes.has($0.0) })?.1 { return name }
        switch bytes.bigEndian32(at: 0) {
        case 0x4949_2A00, 0x4D4D_002A: return "a Canon raw picture"
        case 0x0000_0100: return "a Windows icon"
        case 0x0000_0200: return "a Windows cursor"
        case 0x8A4D_4E47: return "an MNG animation"
        case 0x8B4A_4E47: return "a JNG picture"
        case 0x762F_3101: return "an OpenEXR picture"
        case 0x1A45_DFA3: return "a WebM film"
        case 0xFF4F_FF51: return "a JPEG 2000 picture"
        case 0x0000_000C where bytes.has("jP  ", at: 4): return "a JPEG 2000 picture"
        case 0x0000_000C where bytes.has("JXL ", at: 4): return "a JPEG XL picture"
        default: break
        }
        switch bytes.bigEndian16(at: 0) {
        case 0xFF0A: return "a JPEG XL picture"
        case 0x1F8B: return "a gzip archive"
        default: return nil
        }
    }

    /// Text of any kind; markup is recognized by its first words.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        let head = bytes.prefix(1024)
        guard !head.isEmpty, head.allSatisfy({ $0 >= 0x20 || (0x09...0x0D).contains($0) })
        else { return nil }
        let words = String(decoding: head, as: UTF8.self).lowercased()
        if words.contains("<html") || words.contains("<!doctype html") { return "an HTML page" }
        if words.hasPrefix("version https://git-lfs") { return "a Git LFS pointer" }
        if let kind = head.dropFirst().first, head.first == UInt8(ascii: "P"),
            (0x31...0x37).contains(kind), words.dropFirst(2).first?.isWhitespace == true
        {
            return "a PNM picture"
        }
        return "a text file"
    }
}
