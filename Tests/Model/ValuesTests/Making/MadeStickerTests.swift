import Foundation
import StickerValues
import Testing

struct MadeStickerTests {
    @Test func stickerIsCodedWithoutTheBytesOfItsFiles() throws {
        let file = MadeFile(
            role: .companion, format: .gif, size: PixelSize(width: 3, height: 4), bytes: [1, 2],
            frames: 5, durationMilliseconds: 600)
        let sticker = MadeSticker(animated: true, files: [file])

        let coded = try JSONDecoder().decode(
            MadeSticker.self, from: JSONEncoder().encode(sticker))

        var expected = sticker
        expected.files[0].bytes = []
        #expect(coded == expected)
    }
}
