import Foundation
import Glibc
import StickerConfiguration
import StickerStore
import StickerValues
import Testing

struct FoldersTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func configuration(
        drops: [String] = ["drop"], out: String = "out", state: String = "state"
    ) -> Configuration {
        var configuration = Configuration()
        configuration.drops = drops.map { DropFolder(path: folder.file($0)) }
        configuration.out = folder.file(out)
        configuration.state = folder.file(state)
        configuration.run = folder.file("run")
        return configuration
    }

    private func mode(_ name: String) -> mode_t {
        var status = stat()
        stat(folder.file(name), &status)
        return status.st_mode & 0o7777
    }

    @Test func missingFoldersAreMade() throws {
        try Folders.check(configuration(drops: ["a/drop", "b"], out: "x/out", state: "x/state"))

        #expect(mode("a/drop") == 0o755 && mode("b") == 0o755)
        #expect(mode("x/out") == 0o755 && mode("x/state") == 0o700)
    }

    @Test func foldersOfUploadsAreClosedToOthers() throws {
        try Folders.check(configuration(), isPrivate: true)

        #expect(mode("drop") == 0o750 && mode("out") == 0o750 && mode("state") == 0o700)
    }

    @Test func missingFoldersAreOnlyToldWhereThatIsWanted() throws {
        mkdir(folder.file("drop"), 0o755)

        let missing = try Folders.check(
            configuration(out: "x/out", state: "x/state"), makesMissing: false)

        #expect(missing == [folder.file("x/out"), folder.file("x/state")])
        #expect(access(folder.file("x"), F_OK) != 0)
    }

    @Test(arguments: [
        (["drop"], "drop/out", "state"), (["out/drop"], "out", "state"), (["out"], "out", "state"),
        (["here/out"], "here/out", "state"), (["here"], "here/a/out", "state"),
    ])
    func missingFoldersInOneAnotherAreRefused(
        _ drops: [String], _ out: String, _ state: String
    ) throws {
        mkdir(folder.file("here"), 0o755)

        let error = #expect(throws: FolderError.self) {
            try Folders.check(
                configuration(drops: drops, out: out, state: state), makesMissing: false)
        }

        #expect(error?.description.contains("lies inside") == true)
    }

    @Test func modeOfAnExistingFolderIsLeft() throws {
        mkdir(folder.file("drop"), 0o755)
        chmod(folder.file("drop"), 0o2775)

        try Folders.check(configuration())

        #expect(mode("drop") == 0o2775)
    }

    @Test(arguments: [
        (["drop"], "drop/out", "state"), (["drop"], "out", "drop/state"),
        (["out/drop"], "out", "state"), (["state/drop"], "out", "state"), (["out"], "out", "state"),
        (["a", "a/b"], "out", "state"),
    ])
    func foldersInOneAnotherAreRefused(_ drops: [String], _ out: String, _ state: String) throws {
        let error = #expect(throws: FolderError.self) {
            try Folders.check(configuration(drops: drops, out: out, state: state))
        }

        #expect(error?.description.contains("lies inside") == true)
    }

    @Test func linkDoesNotHideThatOutLiesInADrop() throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("drop/hidden"), withIntermediateDirectories: true)
        symlink(folder.file("drop/hidden"), folder.file("out"))

        #expect(throws: FolderError.self) { try Folders.check(configuration()) }
    }

    @Test func neighboursWithTheSameBeginningAreApart() throws {
        try Folders.check(configuration(drops: ["data"], out: "data-out", state: "data2"))
    }

    @Test func fileInThePlaceOfAFolderIsNamed() throws {
        try folder.write("", to: "out")

        let error = #expect(throws: FolderError.self) { try Folders.check(configuration()) }

        #expect(
            error?.description
                == "the out folder \(folder.file("out")) is not a folder; remove it or name another"
        )
    }

    @Test(.enabled(if: geteuid() == 0, "only root can mount"))
    func bindMountDoesNotHideThatOutLiesInADrop() throws {
        try Folders.check(configuration())
        mkdir(folder.file("drop/inner"), 0o755)
        guard mount(folder.file("drop/inner"), folder.file("out"), nil, 4096, nil) == 0 else {
            return  // the container forbids it
        }
        defer { umount2(folder.file("out"), 0) }

        let error = #expect(throws: FolderError.self) { try Folders.check(configuration()) }

        #expect(error?.description.contains("lies inside the drop") == true)
    }

    @Test func secondDaemonIsToldWhoHoldsTheState() throws {
        try Folders.check(configuration())
        let state = folder.file("state")

        let first = try StateLock.take(state: state)
        let error = #expect(throws: FolderError.self) { _ = try StateLock.take(state: state) }

        #expect(error?.description.contains("process \(getpid())") == true)
        #expect(StateLock.holder(state: state) == getpid())
        withExtendedLifetime(first) {}
    }

    @Test func lockIsFreeWhenItsHolderIsGone() throws {
        try Folders.check(configuration())
        let state = folder.file("state")

        do { _ = try StateLock.take(state: state) }

        #expect(StateLock.holder(state: state) == nil)
        _ = try StateLock.take(state: state)
    }
}
