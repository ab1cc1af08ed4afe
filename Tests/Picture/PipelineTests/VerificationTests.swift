import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPipeline

/// Findings when a finished file is decoded again: the last check before it is published.
struct VerificationTests {
    private let size = PixelSize(width: 64, height: 64)

    /// Compares two pictures as a decoded file and its canvas, and judges.
    private func judge(
        _ mode: Encoding.Mode, _ decoded: borrowing PixelBuffer, canvas: borrowing PixelBuffer
    ) throws {
        var verification = Verification(encoding: Encoding(mode: mode), format: .webp)
        try verification.compare(decoded, with: canvas)
        try verification.judge()
    }

    @Test func losslessFileWithOneOtherPixelIsNotPublished() throws {
        let canvas = PixelBuffer.gradient(size)
        let damaged = PixelBuffer.drawn(size) { x, y in
            SIMD4(UInt8(x * 255 / 63), UInt8(y * 255 / 63), x == 9 && y == 9 ? 129 : 128, 255)
        }
        try judge(.lossless, .gradient(size), canvas: canvas)

        let refusal = #expect(throws: Refusal.self) {
            try judge(.lossless, damaged, canvas: .gradient(size))
        }

        #expect(refusal?.reason == .verificationFailed)
    }

    @Test func losslessFileWithOtherTransparencyIsNotPublished() {
        let canvas = PixelBuffer.drawn(size) { _, _ in SIMD4(10, 20, 30, 254) }

        let refusal = #expect(throws: Refusal.self) {
            try judge(
                .lossless, .drawn(size) { _, _ in SIMD4(10, 20, 30, 255) }, canvas: canvas)
        }

        #expect(refusal?.reason == .verificationFailed)
    }

    @Test func coloursThatDoNotShowNeedNotBeEqual() throws {
        let canvas = PixelBuffer.drawn(size) { _, _ in SIMD4(10, 20, 30, 0) }

        try judge(.lossless, .drawn(size) { _, _ in SIMD4(90, 80, 70, 0) }, canvas: canvas)
    }

    @Test func lossyFileNearItsCanvasIsPublished() throws {
        let near = PixelBuffer.drawn(size) { x, y in
            SIMD4(UInt8(x * 252 / 63), UInt8(y * 252 / 63), 131, 255)
        }

        try judge(.lossy, near, canvas: .gradient(size))
    }

    @Test func lossyFileThatShowsSomethingElseIsNotPublished() {
        let refusal = #expect(throws: Refusal.self) {
            try judge(.lossy, .noise(size, seed: 1), canvas: .gradient(size))
        }

        #expect(refusal?.reason == .willNotFit)
        #expect(refusal?.limit == "at least 25 dB")
    }

    /// On white alone the difference would not show.
    @Test func differenceThatShowsOnOneBackgroundAloneCounts() {
        let canvas = PixelBuffer.drawn(size) { _, _ in SIMD4(255, 255, 255, 255) }

        #expect(throws: Refusal.self) {
            try judge(.lossy, .drawn(size) { _, _ in .zero }, canvas: canvas)
        }
    }

    @Test func fileOfAnotherSizeIsAFault() {
        #expect(throws: CodecError.self) {
            try judge(
                .lossy, .gradient(PixelSize(width: 64, height: 63)), canvas: .gradient(size))
        }
    }

    @Test func fileWithBytesBehindItsEndIsAFault() throws {
        let verification = Verification(
            encoding: Encoding(mode: .lossless), format: .webp)
        let file = try WebPEncoder(.gradient(.sticker)).lossless(level: 0)
        try verification.audit(file, .sticker)

        #expect(throws: CodecError.self) {
            try verification.audit(file + [0], .sticker)
        }
    }
}
