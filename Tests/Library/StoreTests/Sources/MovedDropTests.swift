import Foundation
import StickerConfiguration
import StickerSystem
import StickerValues
import Testing

@testable import StickerStore

/// A drop is known by its folder and by what lies in it, or by its name.
struct MovedDropTests {
    private let disk: DropsOnDisk

    init() throws { disk = try DropsOnDisk() }

    private func path(_ drop: String) -> String { disk.path(drop) }

    private func fill(_ drop: String, _ files: Int = 6, sizes first: Int = 10) throws {
        try disk.fill("\(drop)/cats", files, sizes: first)
    }

    private func former(of drop: String, listed: [String]) throws -> String? {
        try disk.store.sources.formerDrop(
            of: path(drop), inode: disk.inode(drop), listed: listed.map(path))?
            .from
    }

    @Test func renamedDropIsTheSame() throws {
        try fill("a")
        try disk.scan("a")
        try disk.rename("a", to: "b")

        let moved = try #require(
            try disk.store.sources.formerDrop(
                of: path("b"), inode: disk.inode("b"), listed: [path("b")]))
        try disk.store.sources.move(moved, inode: disk.inode("b"))

        #expect(moved.from == path("a"))
        #expect(try disk.files("b") == 6)
        #expect(try disk.files("a") == 0)
        #expect(try disk.store.sources.inode(ofDrop: path("b")) == disk.inode("b"))
        #expect(try disk.store.sources.inode(ofDrop: path("a")) == nil)
        #expect(try former(of: "b", listed: ["b"]) == nil)
    }

    /// On another disk every inode and, with many tools, every time differs.
    @Test func copiedDropIsTheSameOnceTheOldOneIsNotListed() throws {
        try fill("a")
        try disk.scan("a")
        try fill("b")

        #expect(try former(of: "b", listed: ["b"]) == path("a"))
        #expect(try former(of: "b", listed: ["a", "b"]) == nil)
    }

    @Test func halfOfTheFilesTellADropAndFewerDoNot() throws {
        try fill("a")
        try disk.scan("a")
        try fill("b", 3)
        try fill("c", 2)

        #expect(try former(of: "b", listed: ["b"]) == path("a"))
        #expect(try former(of: "c", listed: ["c"]) == nil)
    }

    @Test func filesOfOtherSizesAreOtherFiles() throws {
        try fill("a")
        try disk.scan("a")
        try fill("b", sizes: 500)

        #expect(try former(of: "b", listed: ["b"]) == nil)
    }

    /// The daemon makes folders that are listed and missing.
    @Test func dropThatIsStillListedHasToHaveLeftItsPath() throws {
        try fill("a")
        try disk.scan("a")
        try disk.rename("a", to: "b")

        #expect(try former(of: "b", listed: ["a", "b"]) == path("a"))
        try FileManager.default.createDirectory(
            atPath: path("a"), withIntermediateDirectories: true)
        #expect(try former(of: "b", listed: ["a", "b"]) == path("a"))
    }

    /// A mirror is no move: while the share is away that it was copied from, it must not take its place.
    @Test func copyOfADropThatIsListedAndAwayIsAnotherDrop() throws {
        try fill("a")
        try disk.scan("a")
        try fill("b")
        try FileManager.default.removeItem(atPath: path("a"))

        #expect(try former(of: "b", listed: ["a", "b"]) == nil)
        #expect(try former(of: "b", listed: ["b"]) == path("a"))
    }

    @Test func amongSeveralTheSameFilesTellMoreThanEqualOnes() throws {
        try fill("copy")
        try disk.scan("copy")
        try fill("a")
        try disk.scan("a")
        try disk.rename("a", to: "b")

        #expect(try former(of: "b", listed: ["b"]) == path("a"))
    }

    @Test func whatElseWasKnownUnderThePathIsNotMixedIn() throws {
        try fill("a")
        try disk.scan("a")
        try fill("b", sizes: 900)
        try disk.scan("b")
        try FileManager.default.removeItem(atPath: path("b"))
        try disk.rename("a", to: "b")

        let moved = try #require(
            try disk.store.sources.formerDrop(
                of: path("b"), inode: disk.inode("b"), listed: [path("b")]))
        try disk.store.sources.move(moved, inode: disk.inode("b"))

        #expect(try disk.files("b") == 6)
        #expect(try disk.files("b (replaced 1)") == 6)
    }

    @Test func linksBelowADropAreNotFollowed() throws {
        try fill("a")
        try disk.scan("a")
        try FileManager.default.createDirectory(
            atPath: path("b"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: path("b/cats"), withDestinationPath: path("a/cats"))

        #expect(try former(of: "b", listed: ["b"]) == nil)
    }

    // MARK: Names

    @Test func nameSettlesEveryDoubt() throws {
        try fill("a")
        try disk.scan("a")
        let before = [DropFolder(path: path("a"), name: "art")]
        #expect(try disk.store.sources.settleNames(before).isEmpty)

        let after = [DropFolder(path: path("b"), name: "art")]
        let moved = try disk.store.sources.settleNames(after)

        #expect(moved.map(\.from) == [path("a")])
        #expect(try disk.files("b") == 6)
        #expect(try disk.store.sources.settleNames(after).isEmpty)
    }

    @Test func namedDropsMayTakeEachOthersPaths() throws {
        try fill("a", 6)
        try fill("b", 4)
        try disk.scan("a")
        try disk.scan("b")
        let before = [
            DropFolder(path: path("a"), name: "six"), DropFolder(path: path("b"), name: "four"),
        ]
        _ = try disk.store.sources.settleNames(before)

        let after = [
            DropFolder(path: path("b"), name: "six"), DropFolder(path: path("a"), name: "four"),
        ]
        let moved = try disk.store.sources.settleNames(after)

        #expect(moved.count == 2)
        #expect(try disk.files("b") == 6)
        #expect(try disk.files("a") == 4)
    }

    // MARK: Outlook

    @Test func outlookTellsWhatAListWouldDo() throws {
        try fill("a")
        try disk.scan("a")
        try disk.rename("a", to: "b")
        try fill("new", sizes: 300)

        let drops = ["b", "new", "away"].map { DropFolder(path: path($0)) }
        let outlook = try disk.store.sources.outlook(of: drops)

        #expect(
            outlook == [
                .moved(MovedDrop(from: path("a"), path: path("b"), stickers: 0)),
                .new(path: path("new")), .away(path: path("away")),
            ])
        #expect(try disk.store.sources.outlook(of: [DropFolder(path: path("a"))]).isEmpty)
    }
}
