import Foundation
import Glibc
import StickerConfiguration
import StickerStore
import StickerTestSupport
import StickerValues
import Testing

/// Root runs the verbs on a state folder of somebody else.
@Suite(.enabled(if: geteuid() == 0, "only root can become another user"))
struct RootTests {
    private static let nobody: uid_t = 65534

    private let desk: Operator
    private var state: String { desk.folder.path("state") }

    init() throws {
        desk = try Operator()
        try desk.made("cats/wave.png")
        // The owner must be able to get there.
        try #require(chmod(desk.folder.path, 0o755) == 0)
    }

    private func giveAway() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: state)
        for path in [state] + names.map({ "\(state)/\($0)" }) {
            try #require(lchown(path, Self.nobody, Self.nobody) == 0)
        }
        try #require(chmod(state, 0o700) == 0)
    }

    private func owner(_ path: String) -> uid_t? {
        var status = Glibc.stat()
        return lstat(path, &status) == 0 ? status.st_uid : nil
    }

    @Test func verbsWorkAsTheOwnerOfTheState() throws {
        try giveAway()

        let answers = try [desk.ask("status"), desk.ask("pause", "--json"), desk.ask("plan")]

        #expect(answers.map(\.code) == [0, 0, 0], "\(answers)")
    }

    @Test func reportIsRootsAndReadsTheLibraryAsItsOwner() throws {
        try giveAway()
        let path = desk.folder.path("report.txt")

        let answer = try desk.ask("report", "wave", "--to", path)

        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(answer.code == 0, "\(answer)")
        #expect(owner(path) == 0)
        #expect(text.contains("cats/wave.png") && text.contains("1 sticker in"))
        #expect(text.contains("confined by"))
    }

    @Test func whatARebuildMakesBelongsToTheOwner() throws {
        try desk.store.close()
        try giveAway()

        let answer = try desk.ask("rebuild")

        #expect(answer.code == 0, "\(answer)")
        let names = try FileManager.default.contentsOfDirectory(atPath: state)
        #expect(names.contains("lock") && names.contains(LibraryStore.fileName + ".damaged-1"))
        #expect(names.filter { owner("\(state)/\($0)") != Self.nobody } == [])
    }

    @Test func fileThatTheOwnerMayNotReadIsNotReadForHim() throws {
        try desk.store.close()
        let database = "\(state)/\(LibraryStore.fileName)"
        try giveAway()
        try #require(lchown(database, 0, 0) == 0 && chmod(database, 0o600) == 0)

        let answer = try desk.ask("status")

        #expect(answer.code == 1)
    }

    @Test func linkInTheStateFolderIsNotFollowed() throws {
        try desk.store.close()
        let database = "\(state)/\(LibraryStore.fileName)"
        try #require(rename(database, desk.folder.path("other.sqlite")) == 0)
        try #require(symlink(desk.folder.path("other.sqlite"), database) == 0)
        try giveAway()

        let answer = try desk.ask("status")

        #expect(answer.code == 1)
        #expect(answer.errors.contains("is not a regular file"))
    }

    @Test func importedPackBelongsToTheOwnerOfTheDrop() throws {
        let drop = desk.folder.path("drop")
        try #require(lchown(drop, Self.nobody, Self.nobody) == 0)
        let source = try desk.pack("private", title: "Cats")
        try #require(chmod(source, 0o700) == 0)

        let answer = try desk.ask("import", source)

        #expect(answer.code == 0, "\(answer)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: "\(drop)/Cats")
        #expect(names.sorted() == ["0.png", "1.png", "category.json"])
        #expect((names + [""]).allSatisfy { owner("\(drop)/Cats/\($0)") == Self.nobody })
    }

    @Test func dropInWhichTheOwnerMayNotWriteIsNotWrittenForHim() throws {
        let drop = desk.folder.path("drop")
        try #require(lchown(drop, Self.nobody, Self.nobody) == 0 && chmod(drop, 0o555) == 0)

        let answer = try desk.ask("import", try desk.pack("source", title: "Cats"))

        #expect(answer.code == 1)
        #expect(answer.output.contains("not-written"))
    }

    @Test func folderInWhichTheOwnerMayNotWriteIsToldWithTheWayOut() throws {
        try giveAway()
        let folder = try desk.folder.makeFolder("packs")
        try #require(chmod(folder, 0o755) == 0)

        let answer = try desk.ask("export", "cats", "--for", "whatsapp", "--to", folder)

        #expect(answer.code == 1)
        #expect(
            answer.errors
                == "\(folder): not-writable: nobody cannot write there: Permission denied; "
                + "give the folder to nobody, or name another with --to\n")
    }

    @Test func configurationOfTheWorkingFolderIsLeftAlone() throws {
        for verb in ["check", "plan"] {
            let answer = try desk.standing(in: desk.folder.path, verb)

            #expect(answer.code == 1 && answer.output.isEmpty)
            #expect(answer.errors.contains("root does not read ./config.json by itself"))
        }
    }
}
