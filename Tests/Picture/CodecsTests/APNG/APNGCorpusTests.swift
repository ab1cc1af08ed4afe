import StickerCodecs
import StickerRaster
import StickerTestSupport
import StickerValues
import Testing

/// The public conformance files for APNG against the colours they are documented to end with.
@Suite(.enabled(if: Corpus.isThere, Corpus.hint)) struct APNGCorpusTests {
    private static let green: [UInt8] = [0, 255, 0, 255]
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let gray: [UInt8] = [128, 128, 128, 255]
    private static let darkBlue: [UInt8] = [0, 0, 128, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]

    private func source(_ name: String) throws -> SourceBytes {
        try Corpus.source("bad/real/png/\(name).png")
    }

    @Test(
        arguments: [
            ("pil__blend_op_over", green, green),
            ("pil__blend_op_source_solid", green, green),
            ("pil__dispose_op_none", green, green),
            ("pil__dispose_op_background_region", blue, [0, 0, 0, 0]),
            ("pil__dispose_op_previous", green, green),
            ("pil__dispose_op_previous_final", green, green),
            ("pil__dispose_op_previous_frame", red, green),
            ("pil__dispose_op_previous_region", green, green),
            ("pil__fctl_actl", green, green),
            ("pil__mode_16bit", darkBlue, darkBlue),
            ("pil__mode_grayscale", gray, [255, 255, 255, 255]),
            ("pil__mode_grayscale_alpha", gray, gray),
            ("pil__mode_palette_alpha", green, green),
            ("pil__mode_palette_1bit_alpha", darkBlue, darkBlue),
            ("pil__single_frame_default", green, green),
        ] as [(String, [UInt8], [UInt8])])
    func lastFramesShowWhatTheyShould(name: String, corner: [UInt8], middle: [UInt8]) throws {
        let source = try source(name)

        let last = try #require(decodeAnimation(source).last).canvas

        #expect(APNGDecoder.promisedFrames(source) != nil)
        #expect(last[0, 0] == corner)
        #expect(last[64, 32] == middle)
    }

    @Test(arguments: [
        "pil__chunk_actl_after_idat", "pil__chunk_no_actl", "pil__syntax_num_frames_zero_default",
        "pil__syntax_num_frames_invalid",
    ]) func filesThatAreNoAnimationAreStills(name: String) throws {
        let source = try source(name)

        #expect(APNGDecoder.promisedFrames(source) == nil)
        #expect(throws: Never.self) { try decodeStill(source) }
    }

    @Test(arguments: [
        "pil__sequence_fdat_fctl", "pil__sequence_reorder", "pil__sequence_reorder_chunk",
        "pil__sequence_start", "pil__syntax_num_frames_high",
    ]) func contradictionsAreRefused(name: String) throws {
        let source = try source(name)

        #expect(APNGDecoder.promisedFrames(source) != nil)
        #expect(throws: CodecError.self) { try decodeAnimation(source) }
    }

    @Test(arguments: [
        ("sdweb_TestImageAnimated.apng", 101, 3030), ("imgrs_ball.png", 20, 1500),
    ]) func ordinaryFilesAreDecodedAndComeBack(name: String, frames: Int, milliseconds: Int) throws
    {
        let source = try Corpus.source("png/\(name)")
        let decoder = try APNGDecoder(source, limits: DecodeLimits())
        let encoder = try APNGEncoder(size: decoder.header.size, loopCount: decoder.loopCount)

        let shown = try decodeAnimation(source)
        for (frame, canvas) in shown {
            let picture = picture(canvas.size.width, canvas.size.height) { x, y in
                let pixel = canvas[x, y]
                return SIMD4(pixel[0], pixel[1], pixel[2], pixel[3])
            }
            try encoder.add(frame: picture, durationMilliseconds: frame.delayMilliseconds)
        }
        let file = try #require(try encoder.finish())
        let again = try decodeAnimation(SourceBytes(file))

        #expect(shown.count == frames)
        #expect(decoder.durationMilliseconds == milliseconds)
        #expect(again.reduce(0) { $0 + $1.frame.delayMilliseconds } == milliseconds)
        #expect(visible(again.last?.canvas.bytes) == visible(shown.last?.canvas.bytes))
    }

    /// The pixels without the colour of those that do not show.
    private func visible(_ bytes: [UInt8]?) -> [UInt8] {
        let bytes = bytes ?? []
        return bytes.indices.map { bytes[$0 | 3] == 0 ? 0 : bytes[$0] }
    }
}
