import StickerCodecs
import StickerContainers
import StickerTestSupport
import StickerValues
import Testing

/// Files that lie about their structure.
struct APNGHostileTests {
    private typealias Frame = TestAPNG.Frame

    /// Chunks: header, acTL, fcTL, IDAT, fcTL, fdAT, fcTL, fdAT, IEND.
    private static let png = TestAPNG(
        width: 4, height: 4,
        frames: [
            .filled(TestAPNG.red, 4, 4), .filled(TestAPNG.green, 2, 2),
            .filled(TestAPNG.blue, 1, 1),
        ])

    /// How a whole file is damaged, and the message.
    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: CodecError.Code
        let change: @Sendable (inout [[UInt8]]) -> Void

        init(
            _ detail: String, _ code: CodecError.Code = .malformed,
            _ change: @escaping @Sendable (inout [[UInt8]]) -> Void
        ) {
            (testDescription, self.code, self.change) = (detail, code, change)
        }

        /// The second frame with other numbers.
        static func frame(
            _ detail: String, _ code: CodecError.Code = .malformed,
            _ change: @escaping @Sendable (inout TestAPNG.Frame) -> Void
        ) -> Lie {
            Lie(detail, code) { chunks in
                var frame = png.frames[1]
                change(&frame)
                chunks[4] = TestAPNG.control(frame, 1)
            }
        }
    }

    static let lies: [Lie] = [
        Lie("sequence number 1 stands where 0 belongs") {
            $0[2] = TestAPNG.control(png.frames[0], 1)
        },
        Lie("sequence number 1 stands where 2 belongs") {
            $0[5] = TestAPNG.pixels(TestAPNG.data(png.frames[1]), 1)
        },
        Lie("sequence number 3 stands where 1 belongs") { $0.removeSubrange(4...5) },
        Lie("sequence number 4 stands where 3 belongs") { $0.swapAt(6, 7) },
        Lie("sequence number 4294967295 stands where 2 belongs") {
            $0[5] = TestAPNG.pixels(TestAPNG.data(png.frames[1]), 0xFFFF_FFFF)
        },
        .frame("frame 1 has a side of 0") { $0.width = 0 },
        .frame("frame 1 has a side of 0") { $0.height = 0 },
        .frame("frame 1, 2x2 at 3,0, leaves the canvas of 4x4") { $0.x = 3 },
        .frame("frame 1, 2x2 at 0,4294967295, leaves the canvas of 4x4") { $0.y = 0xFFFF_FFFF },
        .frame("frame 1, 4294967295x2 at 0,0, leaves the canvas of 4x4") { $0.width = 0xFFFF_FFFF },
        .frame("frame 1 has an unknown disposal or blending") { $0.disposal = 3 },
        .frame("frame 1 has an unknown disposal or blending") { $0.blend = 2 },
        .frame("frame 1: Not enough image data") { ($0.width, $0.height) = (4, 4) },
        Lie("frame 0 is the default image, but has another size") {
            $0[2] = TestAPNG.control(.filled(TestAPNG.red, 3, 4), 0)
        },
        Lie("acTL promises 4 frames, and 3 are there") { $0[1] = TestAPNG.animation(4) },
        Lie("acTL promises 2 frames, and 3 are there") { $0[1] = TestAPNG.animation(2) },
        Lie("acTL promises no frame", .noFrames) { $0[1] = TestAPNG.animation(0) },
        Lie("acTL promises 2,147,483,647 frames, and 3 are there") {
            $0[1] = TestAPNG.animation(0x7FFF_FFFF)
        },
        Lie("there is a second acTL") { $0.insert($0[1], at: 1) },
        Lie("there is no acTL chunk") { $0.remove(at: 1) },
        Lie("acTL stands behind the pixels") { $0.insert($0.remove(at: 1), at: 3) },
        Lie("acTL has 7 bytes instead of 8") {
            $0[1] = TestPNG.chunk("acTL", [0, 0, 0, 3, 0, 0, 0])
        },
        Lie("fcTL has 25 bytes instead of 26") {
            $0[4] = TestPNG.chunk("fcTL", Array(repeating: 0, count: 25))
        },
        Lie("fdAT stands in front of IDAT") { $0.insert(TestAPNG.pixels([1], 1), at: 3) },
        Lie("fdAT stands in front of its fcTL") { $0.remove(at: 4) },
        Lie("fdAT has no room for its sequence number") {
            $0[5] = TestPNG.chunk("fdAT", [0, 0, 0])
        },
        Lie("frame 1 has no pixels") { $0[5] = TestAPNG.pixels([], 2) },
        Lie("frame 0 has no pixels") { $0[3] = TestPNG.chunk("IDAT") },
        Lie("frame 2 has no pixels") { $0.remove(at: 7) },
        Lie("frame 0 has no pixels") { $0.insert(TestAPNG.control(png.frames[0], 1), at: 3) },
        Lie("there is no IDAT chunk") { $0 = [$0[0], $0[1], $0[8]] },
        Lie("other chunks stand between those of IDAT") { $0.insert($0[3], at: 6) },
        Lie("\"PLTE\" stands behind the pixels") {
            $0.insert(TestPNG.chunk("PLTE", [1, 2, 3]), at: 6)
        },
        Lie("there is a chunk \"ABCD\", which no decoder knows") {
            $0.insert(TestPNG.chunk("ABCD"), at: 6)
        },
        Lie("the checksum of \"acTL\" is wrong") { $0[1][11] ^= 1 },
        Lie("the checksum of \"fcTL\" is wrong") { $0[4][30] ^= 1 },
        Lie("the checksum of \"fdAT\" is wrong") { $0[5][20] ^= 1 },
        Lie("the checksum of \"IDAT\" is wrong") { $0[3][20] ^= 1 },
        Lie("the file ends before its last chunk does", .truncated) { $0.removeLast() },
        Lie("frame 2: Not enough image data") {
            let data = TestAPNG.stored(Array(repeating: 0, count: 4))
            $0[7] = TestAPNG.pixels(data, 4)
        },
        Lie("frame 2: IDAT: incorrect header check") { $0[7] = TestAPNG.pixels([1, 2, 3, 4], 4) },
        Lie("frame 2: bad adaptive filter value") {
            $0[7] = TestAPNG.pixels(TestAPNG.stored([9, 0, 0, 255, 255]), 4)
        },
        Lie("frame 2: IDAT: incorrect data check") {
            var data = TestAPNG.data(png.frames[2])
            data[data.count - 1] ^= 1
            $0[7] = TestAPNG.pixels(data, 4)
        },
        Lie("frame 2: more data than its rows need") {
            let zeros = [UInt8](repeating: 0, count: 300_000)
            $0[7] = TestAPNG.pixels(TestAPNG.stored(zeros), 4)
        },
        Lie("has a side of 0 pixels", .badDimensions) { $0[0] = TestPNG.header(0, 4) },
        Lie("is too wide or too high", .badDimensions) { $0[0] = TestPNG.header(0x7FFF_FFFF, 1) },
    ]

    @Test(arguments: lies) func liesAreRefusedWithAReason(lie: Lie) throws {
        var chunks = Self.png.chunks
        lie.change(&chunks)

        let error = try #require(throws: CodecError.self) {
            try decodeAnimation(SourceBytes(TestPNG.file(chunks)))
        }

        #expect(error.detail == lie.testDescription)
        #expect(error.code == lie.code)
        #expect(error.format == .png)
    }

    @Test func theWholeFileIsFine() throws {
        #expect(try decodeAnimation(SourceBytes(Self.png.bytes)).count == 3)
        #expect(try decodeAnimation(SourceBytes(Self.png.bytes + [1, 2, 3])).count == 3)
    }

    private func ending(_ file: [UInt8]) -> Ending {
        do throws(CodecError) {
            let decoder = try APNGDecoder(SourceBytes(file), limits: DecodeLimits())
            var hash = 0
            while try decoder.next() != nil {
                hash = hash &* 31 &+ decoder.withCanvas { Array($0) }.hashValue
            }
            return .pixels(hash)
        } catch {
            return .error(error)
        }
    }

    @Test func cutsAreTruncated() {
        let file = Self.png.bytes

        for length in 0..<file.count {
            guard case .error(let error) = ending(Array(file[..<length])) else {
                Issue.record("pixels from \(length) of \(file.count) bytes")
                continue
            }
            #expect(error.code == .truncated)
        }
    }

    @Test func damagedBytesEndAlike() {
        expectStableEndings(of: Self.png.bytes, rounds: 3000) { ending($0) }
    }

    @Test func damagedBytesWithRightChecksumsEndAlike() {
        var numbers = SeededNumbers(7)
        expectStableEndings(of: APNGScenes.random(&numbers).bytes, rounds: 3000) { file in
            ending(repaired(file))
        }
    }

    /// `file` with the checksums that its chunks should have.
    private func repaired(_ file: [UInt8]) -> [UInt8] {
        var file = file
        let ends = file.withUnsafeBytes { bytes in PNGChunks(bytes).map(\.data) }
        for data in ends {
            let checksum = file[(data.lowerBound - 4)..<data.upperBound]
                .withUnsafeBytes(CRC32.checksum)
            file.replaceSubrange(
                data.upperBound..<(data.upperBound + 4), with: TestPNG.number(Int(checksum)))
        }
        return file
    }

    // MARK: Limits

    private func error(_ change: (inout DecodeLimits) -> Void) -> CodecError? {
        var limits = DecodeLimits()
        change(&limits)
        do throws(CodecError) {
            _ = try APNGDecoder(SourceBytes(Self.png.bytes), limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test func limitsAreCheckedBeforeDecoding() {
        #expect(error { $0.framesMax = 3 } == nil)
        #expect(error { $0.framesMax = 2 }?.code == .tooManyFrames)
        #expect(error { $0.framesMax = 2 }?.limit == "2 frames (limits.framesMax)")
        #expect(error { $0.framePixelsMax = 15 }?.code == .tooManyPixels)
        #expect(error { $0.totalPixelsMax = 48 } == nil)
        #expect(error { $0.totalPixelsMax = 47 }?.code == .tooManyPixels)
        #expect(error { $0.sidePixelsMax = 3 }?.code == .badDimensions)
    }

    @Test func memoryIsForeseen() {
        // Given a canvas of 64 bytes, and a first frame of 79 bytes as a file of 136 and a row of 16
        #expect(error { $0.decoderBytesMax = 216 } == nil)
        #expect(error { $0.decoderBytesMax = 215 }?.code == .tooComplex)
        #expect(error { $0.decoderBytesMax = 215 }?.measured == "216 bytes")
    }

    @Test func countsOfFramesThatAreThereAreLimitedToo() {
        // Given an acTL that promises few, in front of many
        var chunks = Self.png.chunks
        for number in 0..<40 {
            chunks.insert(
                TestAPNG.control(Self.png.frames[2], 5 + 2 * number), at: chunks.count - 1)
            chunks.insert(TestAPNG.pixels([1], 6 + 2 * number), at: chunks.count - 1)
        }
        var limits = DecodeLimits()
        limits.framesMax = 10

        let error = #expect(throws: CodecError.self) {
            try APNGDecoder(SourceBytes(TestPNG.file(chunks)), limits: limits)
        }

        #expect(error?.code == .tooManyFrames)
    }
}
