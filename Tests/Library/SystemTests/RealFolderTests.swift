import Glibc
import StickerTestSupport
import Testing

@testable import StickerSystem

struct RealFolderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write([1], to: "out/cats/a.webp")
        symlink("out", folder.path("public"))
        symlink("out/cats", folder.path("cats"))
    }

    @Test(arguments: [
        ("out", "out/cats", true), ("public", "out", true), ("public/mine/deep", "out", true),
        ("cats", "out", true), ("outer", "out", false), ("private", "out", false),
        ("none/cats", "none/catsandmore", false), ("none/cats/winter", "none/cats", true),
        (".", "none", true),
    ]) func linksAndMissingFoldersHideNothing(path: String, other: String, areNested: Bool) {
        let (path, other) = (folder.path(path), folder.path(other))

        #expect(RealFolder.areNested(path, other) == areNested)
        #expect(RealFolder.areNested(other, path) == areNested)
    }

    @Test(.enabled(if: geteuid() != 0, "root may look everywhere"))
    func folderThatIsHiddenIsInNone() throws {
        chmod(folder.path("out"), 0)
        defer { chmod(folder.path("out"), 0o755) }

        #expect(!RealFolder.areNested(folder.path("out"), folder.path(".")))
    }
}
