import CWebP
import StickerValues
import Testing

@testable import StickerCodecs

/// A lack of memory is the system's, and never called a damage of the file.
struct OutOfMemoryTests {
    @Test func memoryThatIsNotThereIsAnError() {
        let error = #expect(throws: CodecError.self) {
            // More than any address space has.
            _ = try LargeMemory(zeros: 1 << 60, .jpeg).bytes.count
        }

        #expect(error?.code == .outOfMemory)
        #expect(error?.measured == "\(1 << 60) bytes")
    }

    @Test(arguments: [
        ("Insufficient memory (case 4)", true),
        ("tjInitDecompress(): Memory allocation failure", true),
        ("Premature end of JPEG file", false), ("Not enough image data", false),
    ]) func wordsOfTurboJPEGAreTold(message: String, isOutOfMemory: Bool) {
        #expect(JPEGReader.isOutOfMemory(message) == isOutOfMemory)
    }

    @Test func errorsOfLibwebpAreTold() {
        #expect(WebPPicture.code(VP8_ENC_ERROR_OUT_OF_MEMORY) == .outOfMemory)
        #expect(WebPPicture.code(VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY) == .outOfMemory)
        #expect(WebPPicture.code(VP8_ENC_ERROR_BAD_DIMENSION) == .encoder)
    }
}
