import StickerTestSupport
import StickerValues
import Testing

/// Every outside picture through the whole pipeline, against the verdict it is to get.
///
/// The long animations are sampled unless `STICKERD_SLOW_CHECKS` is 1.
@Suite(.needsCorpus) struct VerdictTests {
    @Test(arguments: ["png", "jpeg", "gif", "pngsuite"])
    func ordinaryPicturesArePublishedButForThoseOverALimit(folder: String) throws {
        let beyond = [
            "png/oclip_paprika_mateya_01.png": Refusal.Reason.tooManyPixels,
            "gif/gifrs_gifplayer-muybridge.gif": .tooLong,
        ]
        let files = try Pictures.files(in: folder)
        let wanted = folder == "gif" && !Pictures.isEveryFileWanted ? files.everyThird : files

        let verdicts = try Verdict.judge(wanted)

        #expect(verdicts.count > 5)
        for (file, verdict) in verdicts {
            #expect(verdict.reason == beyond[file], "\(file): \(verdict)")
            #expect(verdict.faults == [], "\(file)")
        }
    }

    /// For files without a manifest: the reason of the refusal; `nil` for published files.
    private static let edges: [String: Refusal.Reason?] = [
        "gifrs_beacon.gif": nil,
        "gifrs_issue-117-out-of-range.gif": .badDimensions,
        "gifrs_issue-208-block-type-beta.gif": nil,
        "imgrs_oob.gif": nil,
        "pil_decompression_bomb.gif": .truncated,
        "pil_no_palette.gif": .corrupt,
        "pil_zero_width.gif": .badDimensions,
        "sharp_65536-uint32-limit.png": .badDimensions,
        "sharp_corrupt-header.jpg": .truncated,
        "sharp_full-transparent.png": nil,
        "sharp_giant-image.jpg": .badDimensions,
        "sharp_p3.png": nil,
        "sharp_testimgl.jpg": .unsupportedVariant,
        "sharp_truncated.jpg": .truncated,
        "sharp_truncated.png": .truncated,
        "swgif_20000x20000.gif": .badDimensions,
        "vips_truncated.gif": .truncated,
    ]

    @Test func edgeCasesGetTheirReasons() throws {
        for (file, verdict) in try Verdict.judge(Pictures.files(in: "edge")) {
            let expected = try #require(Self.edges[String(file.dropFirst(5))], "\(file)")
            #expect(verdict.reason == expected, "\(file): \(verdict)")
            #expect(verdict.faults == [], "\(file)")
        }
    }

    /// The reasons for which a class of the manifest may be refused; other classes are damaged in many ways.
    private static let reasons: [String: Set<Refusal.Reason>] = [
        "bomb-frames": [.tooManyFrames, .tooManyPixels],
        "bomb-pixels": [.badDimensions, .tooManyPixels],
        "bomb-time": [.tooComplex],
        "declared-size": [.badDimensions, .tooManyPixels],
        "empty": [.emptyFile],
        "gif-frames": [.badDimensions, .corrupt, .noFrames],
        "gif-length": [.truncated, .corrupt],
        "gif-lzw": [.corrupt],
        "jpeg-length": [.truncated, .corrupt],
        "jpeg-truncated": [.truncated, .corrupt],
        "jpeg-variant": [.unsupportedVariant],
        "limit-boundary": [.tooManyFrames, .tooManyPixels],
        // Two of these have as many colour components as no reader knows, which is seen first.
        "over-limit": [.badDimensions, .tooManyPixels, .unsupportedVariant],
        "png-checksum": [.corrupt],
        "png-length": [.truncated, .corrupt],
        "png-pixels": [.corrupt],
        "png-structure": [.truncated, .corrupt],
        // Base64 and re-encoded bytes can no longer be told to have been pictures.
        "transfer-damage": [.corrupt, .unsupportedFormat],
        "truncated": [.truncated, .corrupt],
    ]

    /// The files of the class `other-image` whose format is read now, against the manifest, which is older:
    /// `nil` for those that are whole. All others are refused for their format.
    private static let otherImages: [String: Refusal.Reason?] = [
        "avif-head.jpg": .corrupt,
        "bmp-as.png": nil,
        "gdkp__bug776694.bmp": .badDimensions,
        "gdkp__bug777315.bmp": .corrupt,
        "gdkp__decodecolormap.bmp": .truncated,
        "gdkp__invalid.1.bmp": .corrupt,
        "gdkp__bug780269.tif": .badDimensions,
        "gdkp__valid.1.tiff": nil,
        "tiff-as.jpg": nil,
        "webp-as.png": nil,
    ]

    /// Files that the manifest rejects, and browsers show: screens of no size that the first frame enlarges.
    private static let shown = ["synthetic/gif-canvas-0x0.gif", "synthetic/gif-canvas-0xn.gif"]

    /// Damage is never blamed on time, memory or the encoder.
    private static let damage: Set<Refusal.Reason> = [
        .badDimensions, .corrupt, .noFrames, .tooComplex, .truncated, .unsupportedFormat,
        .unsupportedVariant,
    ]

    @Test func badFilesGetTheVerdictsOfTheManifest() throws {
        let rows = try Corpus.table("bad/MANIFEST.tsv")
        let files = rows.compactMap { row in row["file"].map { "bad/" + $0 } }
        let verdicts = try Verdict.judge(files)

        #expect(rows.count > 1400 && verdicts.count == rows.count)
        for row in rows {
            let file = try #require(row["file"])
            let verdict = try #require(verdicts["bad/" + file])
            if row["class"] == "other-image" {
                let expected = Self.otherImages[String(file.split(separator: "/").last ?? "")]
                #expect(
                    verdict.reason == expected ?? .unsupportedFormat, "\(file): \(verdict)")
            } else if row["verdict"] != "either" {
                let isAccepted = row["verdict"] == "accept" || Self.shown.contains(file)
                #expect(isAccepted == (verdict.reason == nil), "\(file) \(verdict)")
            }
            if let reason = verdict.reason, row["class"] != "other-image" {
                let expected = Self.reasons[row["class"] ?? ""] ?? Self.damage
                #expect(expected.contains(reason), "\(file): \(verdict)")
            }
            #expect(verdict.faults == [], "\(file)")
        }
    }

    @Test func disputedFilesGetTheSameVerdictEveryTime() throws {
        let rows = try Corpus.table("bad/MANIFEST.tsv").filter { $0["verdict"] == "either" }
        let files = rows.compactMap { row in row["file"].map { "bad/" + $0 } }

        let (once, again) = (try Verdict.judge(files), try Verdict.judge(files))

        #expect(once.count > 100 && once == again)
    }
}

extension [String] {
    fileprivate var everyThird: [String] { indices.filter { $0 % 3 == 0 }.map { self[$0] } }
}
