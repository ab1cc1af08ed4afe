import Foundation
import Glibc
import StickerTestSupport
import StickerValues
import Testing

extension EndToEnd {
    struct ConflictCopyTests {
        @Test func conflictCopyWaitsForItsOriginal() async throws {
            var settings = Workshop.Settings()
            settings.publish["deleteGraceSeconds"] = 1
            let workshop = try Workshop(settings)
            let copy = "wave.sync-conflict-20240131-120000-ABCDEFG.png"
            try workshop.put(try Art.png(1), "cats/wave.png")
            try workshop.put(try Art.png(2), "cats/\(copy)")
            try workshop.put(try Art.png(3), "cats/wave 2.png")
            let first = try await workshop.start()
            try await workshop.published("others") { $0.names == ["wave 2.png", "wave.png"] }
            try await first.says("job refused")
            let status = try await workshop.stickerctl("status")
            #expect(status.exitCode == 3 && status.output.contains("conflict-copy"))
            let told = try await workshop.stickerctl("explain", "wave_2")
            #expect(told.output.contains("looks-like-copy"))
            first.send(SIGTERM)
            #expect(try await first.ending().exitCode == 0)

            try workshop.remove("cats/wave.png")
            let second = try await workshop.start()
            try await workshop.published("the copy") { $0.names == ["wave 2.png", copy].sorted() }
            second.send(SIGTERM)
            #expect(try await second.ending().exitCode == 0)
        }
    }

    /// A picture under a name that is not one's.
    struct MisnamedTests {
        @Test func misnamedPictureIsNamedUntilItIsRenamed() async throws {
            let workshop = try Workshop()
            let photo = "\(workshop.drop)/cats/photo.png_large"
            try workshop.put(try Art.png(1), "cats/photo.png_large")
            try workshop.put(Array("no picture".utf8), "cats/notes")
            let daemon = try await workshop.start()
            try workshop.put(try Art.png(2), "cats/photo.png.1")
            /// The daemon has just begun, and may not have written it yet.
            func attention() -> String {
                let file = workshop.folder.path("run/attention.json")
                let data = FileManager.default.contents(atPath: file) ?? Data()
                return String(decoding: data, as: UTF8.self)
            }
            let isTold = await waitUntil {
                let text = attention()
                return text.contains("rename it to photo.png\"")
                    && text.contains("cats/photo.png.1") && !text.contains("notes")
            }
            #expect(isTold)
            let status = try await workshop.stickerctl("status")
            #expect(status.exitCode == 3 && status.output.contains("misnamed"))

            try check(rename(photo, "\(workshop.drop)/cats/photo.png"), "rename")
            try workshop.remove("cats/photo.png.1")
            try await workshop.published("the photo") { $0.names == ["photo.png"] }
            let isSettled = await waitUntil {
                attention().contains(#""needsAttention" : false"#)
            }
            #expect(isSettled)
            daemon.send(SIGTERM)
            #expect(try await daemon.ending().exitCode == 0)
        }
    }

    /// Bad files: each is refused with a reason that helps, and stands in nobody's way.
    struct RefusalTests {
        @Test func everyRefusalNamesRuleFindingLimitAndRemedy() async throws {
            let workshop = try Workshop(Self.settings)
            try workshop.put(try Art.png(1), "cats/good.png")
            for file in BadFile.all { try file.make(workshop) }

            let drain = try await workshop.drain()

            #expect(drain.exitCode == 3)
            let jobs = try await workshop.jobs()
            for file in BadFile.all {
                let job = try #require(jobs.first { $0.file == file.path }, "no job: \(file.path)")
                let refusal = try #require(job.refusal, "\(file.path) is \(job.state)")
                #expect(job.state == "discarded" && job.needsAttention)
                #expect(refusal.reason == file.reason, "\(file.path): \(refusal)")
                #expect(!refusal.detail.isEmpty && !refusal.remedy.isEmpty, "\(file.path)")
                if file.isMeasured {
                    #expect(refusal.measured != nil && refusal.limit != nil, "\(refusal)")
                }
            }
            #expect(jobs.count == BadFile.all.count + 1)
            let library = try Library(below: workshop.out)
            #expect(library.names == ["good.png"])
            #expect(library.complaints() == [])
            #expect(Library.litter(below: workshop.out) == [])
        }

        @Test func attentionEndsWithACorrectedFileOrWithoutTheFile() async throws {
            let workshop = try Workshop(Self.settings)
            for file in BadFile.all { try file.make(workshop) }
            #expect(try await workshop.drain().exitCode == 3)
            #expect(try await workshop.stickerctl("status").exitCode == 3)

            let corrected = BadFile.all.filter(\.isPicture)
            for file in corrected { try workshop.replace(file.path, with: try Art.png(7)) }
            for file in BadFile.all where !file.isPicture { try workshop.remove(file.path) }

            #expect(try await workshop.drain().exitCode == 0)
            #expect(try await workshop.stickerctl("status").exitCode == 0)
            #expect(try Library(below: workshop.out).stickers.count == corrected.count)
            let left = try await workshop.jobs().filter(\.needsAttention)
            #expect(left == [])
        }

        @Test func retryGivesAnotherRoundWhereThatCanHelp() async throws {
            let workshop = try Workshop(Self.settings)
            for file in BadFile.all { try file.make(workshop) }
            #expect(try await workshop.drain().exitCode == 3)
            let refused = try await workshop.jobs()

            let unforced = try await workshop.stickerctl("retry", "--all")
            #expect(unforced.output.contains("same result expected"))
            let retry = try await workshop.stickerctl("retry", "--all", "--force")
            let waiting = try await workshop.jobs()
            let again = try await workshop.drain()

            #expect(retry.exitCode == 0)
            let pictures = BadFile.all.filter(\.isPicture)
            #expect(waiting.filter { $0.state == "available" }.count == pictures.count)
            #expect(again.exitCode == 3)
            let jobs = try await workshop.jobs()
            #expect(jobs.map(\.refusal) == refused.map(\.refusal))
            #expect(jobs.map(\.id) == refused.map(\.id))
            let first = try #require(jobs.first { $0.file == pictures[0].path })
            let shown = try await workshop.stickerctl("show", "\(first.id)")
            #expect(shown.output.contains("asked for; before: "))
        }

        @Test func runningDaemonHearsOfARetry() async throws {
            let workshop = try Workshop()
            let daemon = try await workshop.start()
            defer { daemon.send(SIGTERM) }
            try workshop.put(Array("no picture at all".utf8), "cats/text.png")
            let job = try #require(
                await workshop.jobs("refused") { $0.last?.state == "discarded" }.last)

            let retry = try await workshop.stickerctl("retry", "--force", "\(job.id)")
            #expect(retry.exitCode == 0)

            try await workshop.jobs("tried again") {
                $0.count == 1 && $0[0].state == "discarded"
                    && $0[0].finishedAt ?? .distantPast > job.finishedAt ?? .distantPast
            }
        }

        @Test func grantedFilesBecomeStickersAndStaySo() async throws {
            let workshop = try Workshop()
            let frames = (0..<20).map { number in
                var frame = TestGIF.Frame.filled(UInt8(number % 4), 16, 16)
                frame.delay = 100
                return frame
            }
            try workshop.put(TestGIF(width: 16, height: 16, frames: frames).bytes, "cats/long.gif")
            let torn = try Art.noise(side: 40)
            try workshop.put(Array(torn.dropLast(torn.count / 3)), "cats/torn.png")
            #expect(try await workshop.drain().exitCode == 3)
            for job in try await workshop.jobs() {
                let option = job.reason == "too-long" ? "--too-long=trim" : "--accept-damaged"
                let shown = try await workshop.stickerctl("show", "\(job.id)").output
                #expect(shown.contains("stickerctl retry \(job.id) \(option)"))
            }

            let plain = try await workshop.stickerctl("retry", "--all")
            #expect(plain.output.contains("0 requeued, 2 skipped"))
            let trim = try await workshop.stickerctl("retry", "--all", "--too-long=trim")
            #expect(trim.output.contains("1 requeued, 1 skipped"))
            let accept = try await workshop.stickerctl("retry", "torn", "--accept-damaged")
            #expect(accept.output.contains("1 requeued, 0 skipped"))
            #expect(try await workshop.drain().exitCode == 0)

            let library = try Library(below: workshop.out)
            #expect(library.names == ["long.gif", "torn.png"])
            #expect(Library.litter(below: workshop.out) == [])
            let long = try #require(library.sticker("long.gif")?.files.first)
            #expect(long.durationMilliseconds == 10_000)
            let explained = try await workshop.stickerctl("explain", "torn").output
            #expect(explained.contains("granted") && explained.contains("accept-damaged"))
            #expect(explained.contains("damage-accepted"))

            // Neither another start nor a rebuild takes it back, and other bytes are judged by the rules.
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try await workshop.stickerctl("rebuild").exitCode == 0)
            #expect(try await workshop.drain().exitCode == 0)
            #expect(try Library(below: workshop.out).stickers == library.stickers)
            try workshop.put(Array(torn.dropLast(torn.count / 2)), "cats/torn.png")
            #expect(try await workshop.drain().exitCode == 3)
            #expect(try Library(below: workshop.out).stickers == library.stickers)
        }

        /// Whether the daemon runs when the setting changes or not.
        @Test(arguments: [false, true])
        func changedRuleTriesAgainWhatItRefused(whileRunning: Bool) async throws {
            let workshop = try Workshop()
            let frames = (0..<20).map { number in
                var frame = TestGIF.Frame.filled(UInt8(number % 4), 16, 16)
                frame.delay = 100
                return frame
            }
            try workshop.put(TestGIF(width: 16, height: 16, frames: frames).bytes, "cats/long.gif")
            #expect(try await workshop.drain().exitCode == 3)
            let place = URL(filePath: workshop.config)
            let before = try JSONSerialization.jsonObject(with: Data(contentsOf: place))
            var config = try #require(before as? [String: Any])
            config["sticker"] = ["tooLong": "trim"]
            let changed = try JSONSerialization.data(withJSONObject: config)

            if whileRunning {
                let daemon = try await workshop.start()
                try await daemon.says("start scan finished")
                try await Task.sleep(for: .seconds(1))  // until nothing else wakes it
                try changed.write(to: place)
                daemon.send(SIGHUP)
                do {
                    try await workshop.published("the trimmed one") { $0.names == ["long.gif"] }
                } catch {
                    Issue.record("\(error): \(daemon.errors.suffix(3000))")
                }
                daemon.send(SIGTERM)
                #expect(try await daemon.ending().exitCode == 0)
            } else {
                try changed.write(to: place)
                #expect(try await workshop.drain().exitCode == 0)
            }

            #expect(try Library(below: workshop.out).names == ["long.gif"])
        }

        @Test func folderWithThePictureNameIsAFolder() async throws {
            let workshop = try Workshop()
            try workshop.put(try Art.png(1), "cats/x.png/inside.png")
            try workshop.put(try Art.png(2), "y.png/inside.png")

            #expect(try await workshop.drain().exitCode == 0)

            let library = try Library(below: workshop.out)
            #expect(library.categories.keys.sorted() == ["cats", "y_png"])
            #expect(library.complaints() == [])
        }

        @Test(.needsCorpus) func hostileNamesArePublishedOrLeftAlone() async throws {
            let workshop = try Workshop()
            let rows = try Corpus.table("bad/names.tsv")
            let picture = try Art.png(1)
            for row in rows {
                let name = try #require([UInt8](hexadecimal: row["name_hex"] ?? ""))
                try workshop.folder.makeFolder("drop/cats")
                try workshop.folder.write(picture, toName: Array("drop/cats/".utf8) + name)
            }

            let drain = try await workshop.drain()

            // Whether a picture under another name had rested before the scan is a matter of luck.
            let jobs = try await workshop.jobs()
            let misnamed = jobs.filter { $0.reason == "misnamed" }
            #expect(drain.exitCode == (misnamed.isEmpty ? 0 : 3))
            let library = try Library(below: workshop.out)
            #expect(library.complaints() == [])
            let wanted = rows.filter { $0["verdict"] == "process" }.compactMap { $0["name_hex"] }
            #expect(library.stickers.map(\.source.nameHexadecimal).sorted() == wanted.sorted())
            #expect(Set(library.stickers.map(\.identifier)).count == wanted.count)
            #expect(jobs.count == wanted.count + misnamed.count)
            let listing = try await workshop.stickerctl("jobs", "--limit", "1000").output
            let footer = misnamed.isEmpty ? 0 : 2
            #expect(listing.split(separator: "\n").count == jobs.count + footer)
            #expect((listing + drain.errors).unicodeScalars.allSatisfy { !$0.isDangerous })
        }

        private static let settings = Workshop.Settings(
            limits: ["sourceBytesMax": 65536, "sidePixelsMax": 1000, "framePixelsMax": 250_000],
            categories: ["tight": ["stillBytesMax": 5000]])
    }
}

extension ManifestSticker.Source {
    /// The bytes of the name as the file system has them, two digits each.
    fileprivate var nameHexadecimal: String {
        let text = nameEncoding == "percent" ? Self.decoded(Array(name.utf8)) : Array(name.utf8)
        return text.hexadecimal
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        var (bytes, index) = ([UInt8](), 0)
        while index < text.count {
            let isEscape = text[index] == UInt8(ascii: "%") && index + 2 < text.count
            let digits =
                isEscape ? String(decoding: text[index + 1...index + 2], as: UTF8.self) : ""
            bytes.append(UInt8(digits, radix: 16) ?? text[index])
            index += isEscape ? 3 : 1
        }
        return bytes
    }
}

extension Unicode.Scalar {
    /// Whether it could forge a line, drive a terminal or turn the text around.
    fileprivate var isDangerous: Bool {
        guard self != "\n" else { return false }
        return properties.generalCategory == .control || properties.isBidiControl
    }
}
