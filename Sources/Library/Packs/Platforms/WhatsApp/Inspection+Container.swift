import StickerContainers

/// The containers of WebP files.
extension WhatsAppValidator.Inspection {
    /// Checks the structure of a file.
    ///
    /// WhatsApp's rules are not published. These are known from reports of files that were refused, and accepted once
    /// they had been encoded again.
    mutating func checkContainer(of file: File, _ picture: PictureFile) {
        let faults = WebPAudit.sortedFaults(
            in: file.bytes, canvas: picture.size, frames: picture.frameMilliseconds?.count,
            acceptsMetadata: true)
        for fault in faults {
            guard let (rule, limit) = Self.demand(on: fault.concern) else { continue }
            note(
                rule, file.place, fault.clause, measured: fault.clause, limit: limit,
                remedy: "encode the picture again with libwebp")
        }
        checkMetadata(of: file)
    }

    /// The rule of a fault and its requirement; `nil` for structures of WhatsApp's own samples, and for faults judged
    /// already.
    private static func demand(on concern: WebPFault.Concern) -> (Rule, String)? {
        switch concern {
        case .bytes: (.c1, "chunks of even length that fill the file")
        case .order:
            (.c2, "VP8L, VP8, or VP8X with ALPH and VP8 or with VP8L; or VP8X, ANIM and ANMF")
        case .header: (.c3, "flags for what the file holds, and no other bits")
        case .frame: (.c4, "frames inside the canvas, without reserved bits")
        case .picture: (.v13, "a whole WebP")
        case .duration, .frameCount, .mixture: nil
        }
    }

    /// WhatsApp's own packs carry a note in EXIF, which is no fault.
    private mutating func checkMetadata(of file: File) {
        let chunks = RIFF.walk(file.bytes, in: RIFF.headerBytes..<file.bytes.count).chunks
        let kinds = ["ICCP": "a colour profile", "XMP ": "XMP", "EXIF": "EXIF"]
        for chunk in chunks {
            guard let kind = kinds[chunk.tag],
                !(chunk.tag == "EXIF" && Self.isPackNote(file.bytes[chunk.payload]))
            else { continue }
            note(
                .c5, file.place, "the file carries \(kind)",
                measured: "\(chunk.payload.count) bytes of \(kind)", limit: "no metadata",
                remedy: "encode the picture again without metadata")
        }
    }

    /// Whether EXIF holds only the tag 0x5741, in which WhatsApp names the pack of a sticker: a little-endian TIFF
    /// header, one entry of undefined type, and its value up to the end.
    private static func isPackNote(_ exif: ArraySlice<UInt8>) -> Bool {
        exif.withUnsafeBytes { bytes in
            let valueStart = 22
            return bytes.has("II") && bytes.littleEndian16(at: 2) == 42
                && bytes.littleEndian32(at: 4) == 8 && bytes.littleEndian16(at: 8) == 1
                && bytes.littleEndian16(at: 10) == 0x5741 && bytes.littleEndian16(at: 12) == 7
                && bytes.littleEndian32(at: 14) == bytes.count - valueStart
                && bytes.littleEndian32(at: 18) == valueStart
        }
    }
}
