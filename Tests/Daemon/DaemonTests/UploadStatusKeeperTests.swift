import Foundation
import StickerConfiguration
import StickerStore
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerDaemon

/// The files that tell users what became of their uploads, beside a real database.
struct UploadStatusKeeperTests {
    private static let first = "u0123456789ab0123456789ab.png"
    private static let second = "u0123456789ab0123456789ac.png"

    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private func keeper() -> UploadStatusKeeper {
        var configuration = workshop.settings.current
        configuration.drops = [DropFolder(path: workshop.folder.path("drop"))]
        return UploadStatusKeeper(workshop.store.operations, configuration)
    }

    private func path(_ name: String, of user: String = "ada") -> String {
        UploadStatus.path(of: "\(user)/\(name)", in: workshop.folder.path("out"))
    }

    private func state(_ name: String, of user: String = "ada") throws -> UploadStatus.State? {
        guard let data = FileManager.default.contents(atPath: path(name, of: user)) else {
            return nil
        }
        return try JSONDecoder().decode(UploadStatus.self, from: data).state
    }

    private func make(_ name: String, of user: String = "ada") throws {
        try workshop.drop("\(user)/\(name)", "content of \(name)")
        try workshop.work()
    }

    @Test func whatEndsIsToldOnceAndGoesOnAfterARestart() throws {
        var keeper = keeper()
        try make(Self.first)
        try keeper.write()
        #expect(try state(Self.first) == .ready && state(Self.second) == nil)

        try make(Self.second)
        var restarted = self.keeper()
        try restarted.write()
        #expect(try state(Self.second) == .ready)

        // A report is not repeated.
        unlink(path(Self.second))
        try keeper.write()
        try restarted.write()
        unlink(path(Self.second))
        try restarted.write()
        #expect(try state(Self.second) == nil)
    }

    @Test func whatIsMissingIsToldAgainAndWhatIsGoneIsNot() throws {
        try make(Self.first)
        try make(Self.second)
        // The job of the one is not kept any more, and the other is gone.
        let jobs = try workshop.store.operations.jobs()
        #expect(jobs.count == 2)
        var keeper = keeper()
        try keeper.write()
        unlink(path(Self.first))
        _ = try workshop.store.queue.accept([], gone: [workshop.key("ada/\(Self.second)")])

        try keeper.compare()

        #expect(try state(Self.first) == .ready && state(Self.second) == nil)
    }

    /// A disk that is not mounted takes nobody's sticker away.
    @Test func whereTheDropIsAwayNothingIsForgotten() throws {
        try make(Self.first)
        var keeper = keeper()
        try keeper.write()
        try FileManager.default.removeItem(atPath: workshop.folder.path("drop"))

        try keeper.compare()

        #expect(try state(Self.first) == .ready)
    }

    @Test func fileThatCannotBeWrittenHoldsUpNoOther() throws {
        // A file lies where the folder of a user should be.
        try make(Self.first, of: "bob")
        try make(Self.second)
        try workshop.folder.makeFolder("out/\(UploadStatus.folder)")
        try workshop.folder.write(Array("odd".utf8), to: "out/\(UploadStatus.folder)/bob")
        var keeper = keeper()

        #expect(throws: FileError.self) { try keeper.write() }
        #expect(try state(Self.second) == .ready)
        try keeper.write()

        try FileManager.default.removeItem(
            atPath: workshop.folder.path("out/\(UploadStatus.folder)/bob"))
        try keeper.compare()
        #expect(try state(Self.first, of: "bob") == .ready)
    }

    /// Files that no server put there are nobody's.
    @Test func othersAreLeftAlone() throws {
        try make("cat.png")
        try make(Self.first, of: "Not a user")
        var keeper = keeper()
        try keeper.write()
        try keeper.compare()
        #expect(
            !FileManager.default.fileExists(
                atPath: workshop.folder.path("out/\(UploadStatus.folder)")))
    }
}
