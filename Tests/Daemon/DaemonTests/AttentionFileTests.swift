import Foundation
import StickerConfiguration
import StickerReports
import StickerStore
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDaemon

struct AttentionFileTests {
    private let workshop: Workshop
    private let configuration: Configuration

    init() throws {
        workshop = try Workshop()
        configuration = workshop.settings.current
    }

    private func refuse() throws {
        workshop.maker.fail(
            .refused(
                Refusal(
                    .tooLong, "it plays too long", measured: "14 s", limit: "10 s",
                    remedy: "shorten it")))
        try workshop.drop("cats/a.png", "a cat")
        try workshop.work()
    }

    private func report() throws -> AttentionReport {
        try AttentionReport(
            workshop.store, refused: workshop.store.operations.status().needAttention, live: nil)
    }

    private func write(_ file: inout AttentionFile, isDone: Bool = true) throws {
        try file.write(
            report(), isDone: isDone, hasDismissed: workshop.store.operations.hasDismissed)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: workshop.folder.path(name), encoding: .utf8)
    }

    @Test func fileIsThereFromTheStartAndRewrittenWhenThingsChange() throws {
        var file = AttentionFile(configuration)
        try write(&file)
        #expect(try text("run/attention.json").contains(#""needsAttention" : false"#))
        try workshop.folder.write(Array("not again".utf8), to: "run/attention.json")

        try write(&file)
        #expect(try text("run/attention.json") == "not again")
        try refuse()
        try write(&file)

        #expect(try text("run/attention.json").contains(#""needsAttention" : true"#))
    }

    @Test func artistsHaveAListOfTheirOwn() throws {
        var configuration = configuration
        try workshop.folder.makeFolder("problems")
        configuration.problemsFolder = workshop.folder.path("problems")
        var file = AttentionFile(configuration)
        try write(&file, isDone: false)
        #expect(
            try text("problems/problems.txt")
                == "No problem so far; not every picture is done yet.\n")
        try write(&file)
        #expect(try text("problems/problems.txt") == "All pictures became stickers.\n")

        try refuse()
        try write(&file)

        #expect(
            try text("problems/problems.txt") == """
                1 file is not published, or not in the newest version.

                cats/a.png: it plays too long (found 14 s, allowed 10 s)
                    shorten it

                """)

        _ = try workshop.store.operations.dismiss(JobFilter())
        try write(&file)
        #expect(
            try text("problems/problems.txt") == "No problem is left; some were dismissed.\n")
    }

    @Test func folderThatIsMissingIsAnError() throws {
        var configuration = configuration
        configuration.run = workshop.folder.path("nowhere")
        var file = AttentionFile(configuration)

        #expect(throws: (any Error).self) { try write(&file) }
    }
}
