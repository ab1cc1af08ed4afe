import StickerPacks
import StickerTestSupport
import StickerValues

extension CounterExample {
    private static let narrow = PixelSize(width: 511, height: 512)
    private static let trayBytesMax = 51_200

    static let pictures: [CounterExample] = [
        .init(.v08, "small tray") { $0.tray = TestSticker.png(96, 23) },
        .init(.v08, "large tray") { $0.tray = TestSticker.png(513, 96) },
        .init(.v08, "heavy tray") { $0.tray = TestSticker.png(96, 96, bytes: trayBytesMax + 1) },
        .init(.v08, "tray is a WebP") { $0.tray = TestSticker.still },
        .init(.v08, "damaged tray") { $0.tray?[43] ^= 1 },
        .init(.v08, "tray cut off") { $0.tray?.removeLast() },
        .init(.v08, on: .ios, "heavy tray") {
            $0.tray = TestSticker.png(96, 96, bytes: trayBytesMax + 1)
        },
        .init(.v12, "heavy") { $0.file = TestSticker.padded(TestSticker.still, to: 102_402) },
        .init(.v12, moves: true, "heavy") {
            $0.file = TestSticker.padded(TestSticker.moving, to: 512_002)
        },
        .init(.v12, on: .ios, "heavy") {
            $0.file = TestSticker.padded(TestSticker.still, to: 102_402)
        },
        .init(.v13, "narrow") { $0.file = try TestSticker.still(narrow) },
        .init(.v13, "flat") { $0.file = try TestSticker.still(narrow.transposed) },
        .init(.v13, moves: true, "narrow") { $0.file = try TestSticker.moving([99, 99], narrow) },
        .init(.v13, "PNG") { $0.file = TestSticker.png(512, 512) },
        .init(.v13, "no picture") { $0.file = Array("<html>".utf8) },
        .init(.v13, "cut off") { $0.file?.removeLast(2) },
        .init(.v13, moves: true, "damaged frame") {
            $0.file = try TestSticker.frames { $0.chunks[8] = 0 }
        },
        .init(.v13, on: .ios, "PNG of another size") {
            $0.file = TestSticker.png(512, 500)
            $0.rename(stickerTo: "0.png")
        },
        .init(.v14, moves: true, "still") { $0.file = TestSticker.still },
        .init(.v14, moves: true, "one frame") { $0.file = try TestSticker.oneFrame() },
        .init(.v14, moves: true, "short frame") { $0.file = try TestSticker.moving([100, 7]) },
        .init(.v14, moves: true, "long") { $0.file = try TestSticker.moving([5000, 5001]) },
        .init(.v14, on: .ios, moves: true, "long") {
            $0.file = try TestSticker.moving([5000, 5001])
        },
        .init(.v15, "moves") { $0.file = TestSticker.moving },
    ]

    static let ios: [CounterExample] = [
        .init(.i1, on: .ios, "tray of another size") { $0.tray = TestSticker.png(96, 95) },
        .init(.i2, on: .ios, "tray moves") {
            $0.tray = try TestSticker.moving([99, 99], PixelSize(width: 96, height: 96))
            $0.rename(trayTo: "tray.webp")
        },
        .init(.i3, on: .ios, "JPEG") { $0.rename(stickerTo: "0.jpg") },
        .init(.i3, on: .ios, "capitals") { $0.rename(trayTo: "tray.PNG") },
        .init(.i3, on: .ios, "no extension") { $0.rename(stickerTo: ".webp") },
        .init(.i4, on: .ios, "empty sticker") { $0.file = [] },
        .init(.i5, on: .ios, "missing") { $0.pack["identifier"] = nil },
        .init(.i5, on: .ios, "empty") { $0.pack["identifier"] = "" },
        .init(.i5, on: .ios, "same pack twice") { $0.copies = 2 },
        .init(.i6, on: .ios, "moves") { $0.file = TestSticker.moving },
        .init(.i6, on: .ios, moves: true, "still") { $0.file = TestSticker.still },
    ]

    static let containers: [CounterExample] = [
        .init(.c1, "byte behind the end") { $0.file?.append(0) },
        .init(.c1, moves: true, "bytes behind a picture") {
            $0.file = try TestSticker.frames { $0.chunks += [0, 0, 0, 0] }
        },
        .init(.c2, "unknown chunk") {
            $0.file = TestSticker.adding("JUNK", [1, 2], flag: 0, to: TestSticker.still)
        },
        .init(.c2, moves: true, "unknown chunk") {
            $0.file = TestSticker.adding("JUNK", [1, 2], flag: 0, to: TestSticker.moving)
        },
        .init(.c3, moves: true, "alpha is not told") {
            $0.file = try TestSticker.frames(flags: 0x02) { _ in }
        },
        .init(.c3, moves: true, "reserved bit") {
            $0.file = try TestSticker.frames(flags: 0x13) { _ in }
        },
        .init(.c4, moves: true, "leaves the canvas") {
            $0.file = try TestSticker.frames { $0.x = 450 }
        },
        .init(.c4, moves: true, "reserved bit") {
            $0.file = try TestSticker.frames { $0.methods = 4 }
        },
        .init(.c5, "EXIF of a camera") {
            $0.file = TestSticker.adding(
                "EXIF", Array("II*\0".utf8), flag: 0x08, to: TestSticker.still)
        },
        .init(.c5, moves: true, "XMP") {
            $0.file = TestSticker.adding("XMP ", [60, 62], flag: 0x04, to: TestSticker.moving)
        },
        .init(.c5, "colour profile") {
            $0.file = TestWebP.file([
                TestWebP.header(flags: 0x30, .sticker), TestWebP.chunk("ICCP", [1, 2]),
                TestWebP.picture(of: TestSticker.still),
            ])
        },
    ]
}
