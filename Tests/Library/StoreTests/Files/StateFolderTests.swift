import Glibc
import StickerConfiguration
import StickerValues
import Testing

@testable import StickerStore

struct StateFolderTests {
    private static let isRoot: ConditionTrait = .enabled(if: geteuid() == 0, "only root can chown")

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["", "-wal", "-shm", "-journal"])
    func databaseFileThatIsALinkIsNotFollowed(suffix: String) throws {
        let path = folder.file("stickerd.sqlite")
        let target = folder.file("elsewhere")
        #expect(symlink(target, path + suffix) == 0)

        let error = #expect(throws: StoreError.self) { try LibraryStore(path: path) }

        #expect("\(try #require(error))".contains("stickerd.sqlite\(suffix) is not a regular file"))
        #expect(access(target, F_OK) != 0)
    }

    @Test func lockThatIsALinkIsNotFollowed() throws {
        let target = folder.file("elsewhere")
        #expect(symlink(target, folder.file("lock")) == 0)

        #expect(throws: FolderError.self) { try StateLock.take(state: folder.path) }

        #expect(access(target, F_OK) != 0)
        #expect(StateLock.holder(state: folder.path) == nil)
    }

    @Test func ownLinkToTheFolderIsFollowed() throws {
        let link = folder.file("link")
        #expect(symlink(folder.path, link) == 0)

        let lock = try StateLock.take(state: link)

        #expect(StateLock.holder(state: folder.path) == getpid())
        withExtendedLifetime(lock) {}
    }

    @Test(isRoot) func linkOfSomebodyElseToTheFolderIsRefused() throws {
        let link = folder.file("link")
        #expect(symlink(folder.path, link) == 0 && lchown(link, 65534, 65534) == 0)

        #expect(throws: FolderError.self) { try StateLock.take(state: link) }
        #expect(throws: FolderError.self) { try StateFolder.becomeOwner(of: link) }

        #expect(access(folder.file("lock"), F_OK) != 0)
    }

    @Test(isRoot) func folderOfRootOrNoneChangesNothing() throws {
        try StateFolder.becomeOwner(of: folder.path)
        try StateFolder.becomeOwner(of: folder.file("missing"))

        #expect(geteuid() == 0)
    }
}
