import StickerContainers
import StickerValues
import Testing

struct SniffTests {
    @Test(arguments: [
        ("GIF89a", SniffedType.picture(.gif)),
        ("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ", .picture(.webp)),
        ("    ftypavif", .picture(.avif)), ("    ftypheic", .picture(.heic)),
        ("    ftypisom", .foreign("an MP4 film")), ("%PDF-1.7", .foreign("a PDF file")),
        ("BM12", .picture(.bmp)), ("BMW is a car maker", .foreign("a text file")),
        ("P6 1 1", .foreign("a PNM picture")),
        ("<?xml version='1.0'?><svg xmlns=''>", .picture(.svg)),
        ("<!-- <html> --><!DOCTYPE svg [<!ENTITY a \"<>]\">]>\n<s:svg ", .picture(.svg)),
        ("\u{FEFF}<svg", .picture(.svg)), ("<svgx/>", .foreign("a text file")),
        ("<html><svg/></html>", .foreign("an HTML page")), ("x <svg/>", .foreign("a text file")),
        ("<!DOCTYPE html>", .foreign("an HTML page")), ("#!/bin/sh", .foreign("a script")),
        ("hello", .foreign("a text file")), ("\u{1}\u{2}\u{3}", .unknown), ("", .unknown),
    ]) func typeIsToldByTheFirstBytes(text: String, type: SniffedType) {
        #expect(ImageFormat.sniff(SourceBytes(Array(text.utf8))) == type)
    }

    @Test func binarySignaturesAreKnown() {
        let types: [([UInt8], SniffedType)] = [
            ([0x89, 0x50, 0x4E, 0x47, 0x0A], .picture(.png)),
            ([0xFF, 0xD8, 0xFF], .picture(.jpeg)),
            ([0x49, 0x49, 0x2A, 0x00], .picture(.tiff)),
            ([0x4D, 0x4D, 0x00, 0x2B], .picture(.tiff)),
            ([0x1F, 0x8B, 8], .foreign("a gzip archive")),
            ([0xFF, 0x0A], .foreign("a JPEG XL picture")),
        ]

        for (bytes, type) in types { #expect(ImageFormat.sniff(SourceBytes(bytes)) == type) }
    }
}
