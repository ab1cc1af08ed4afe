import Glibc
import StickerTestSupport
import Testing

@testable import StickerSystem

struct FolderWalkTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["top.png", "cats/a.png", "cats/winter/b.png", "left/c.png"] {
            try folder.write([1], to: name)
        }
        symlink(folder.path("cats"), folder.path("linked"))
        symlink(folder.path("cats/a.png"), folder.path("cats/link.png"))
    }

    @Test func listingNamesEveryEntryAndItsKind() throws {
        let listing = try FolderListing(folder.path("cats"))

        let entries = try listing.rest()

        let names = entries.map { String(decoding: $0.name, as: UTF8.self) }
        #expect(names.sorted() == ["a.png", "link.png", "winter"])
        let folders = entries.filter(listing.isFolder).map(\.name)
        #expect(folders == [Array("winter".utf8)])
        #expect(try listing.status(of: Array("link.png".utf8)).kind == .link)
        #expect(throws: FileError.self) { try listing.status(of: Array("none".utf8)) }
    }

    @Test func kindThatTheFileSystemDoesNotTellIsLookedUp() throws {
        let listing = try FolderListing(folder.path("cats"))

        func isFolder(_ name: String) -> Bool {
            listing.isFolder(.init(name: Array(name.utf8), hint: .unknown))
        }

        #expect(isFolder("winter") && !isFolder("a.png") && !isFolder("link.png"))
        #expect(!isFolder("none"))
    }

    @Test func everythingIsVisitedButLinksAndWhatIsLeftOut() throws {
        var found: [String] = []
        var skipped = 0

        try FolderWalk.below(folder.path) { entry in
            if !entry.isFolder { found.append(String(decoding: entry.path, as: UTF8.self)) }
            return entry.name != Array("left".utf8)
        } skip: { _, _ in
            skipped += 1
        }

        #expect(
            found.sorted()
                == ["cats/a.png", "cats/link.png", "cats/winter/b.png", "linked", "top.png"])
        #expect(skipped == 0)
    }

    @Test func folderThatCannotBeReachedIsNamed() throws {
        let error = #expect(throws: FileError.self) {
            try FolderWalk.below(folder.path("none"), visit: { _ in true }, skip: { _, _ in })
        }

        #expect(error?.kind == .vanished)
    }
}
