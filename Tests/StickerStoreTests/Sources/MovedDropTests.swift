import Foundation
import StickerModel
import StickerSystem
import Testing

@testable import StickerStore

/// A drop is known by its folder and by what lies in it, or by its name.
struct MovedDropTests {
    private let library: Library

    init() throws { library = try Library() }

    private func path(_ drop: String) -> String { library.folder.file(drop) }

    private func inode(_ drop: String) throws -> UInt64 {
        try FileStatus(path(drop)).identity.inode
    }

    /// Writes files of different sizes into a drop.
    private func fill(_ drop: String, _ files: Int = 6, sizes first: Int = 10) throws {
        for index in 0..<files {
            let text = String(repeating: "x", count: first + index)
            try library.folder.write(text, to: "\(drop)/cats/\(index).png")
        }
    }

    /// Records what lies in a drop, as a scan does.
    private func record(_ drop: String) throws {
        try library.store.note(inode: inode(drop), ofDrop: path(drop))
        let files = try library.folder.files().filter { $0.hasPrefix(drop + "/") }
        let sightings = try files.map { file in
            let status = try FileStatus(path(file))
            return Sighting(
                key: key(String(file.dropFirst(drop.count + 1)), drop: path(drop)),
                version: status.version, isRegularFile: true, origin: .scan)
        }
        _ = try library.store.accept(sightings)
    }

    private func rename(_ drop: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path(drop), toPath: path(other))
    }

    private func former(of drop: String, listed: [String]) throws -> String? {
        try library.store.formerDrop(of: path(drop), inode: inode(drop), listed: listed.map(path))?
            .from
    }

    /// The files of a drop, as the books have them.
    private func files(_ drop: String) throws -> Int {
        try library.store.presentNames(
            drop: path(drop), directory: Array("cats".utf8), after: nil, limit: 100
        ).count
    }

    @Test func renamedDropIsTheSame() throws {
        try fill("a")
        try record("a")
        try rename("a", to: "b")

        let moved = try #require(
            try library.store.formerDrop(of: path("b"), inode: inode("b"), listed: [path("b")]))
        try library.store.move(moved, inode: inode("b"))

        #expect(moved.from == path("a"))
        #expect(try files("b") == 6)
        #expect(try files("a") == 0)
        #expect(try library.store.inode(ofDrop: path("b")) == inode("b"))
        #expect(try library.store.inode(ofDrop: path("a")) == nil)
        #expect(try former(of: "b", listed: ["b"]) == nil)
    }

    /// On another disk every inode and, with many tools, every time differs.
    @Test func copiedDropIsTheSameOnceTheOldOneIsNotListed() throws {
        try fill("a")
        try record("a")
        try fill("b")

        #expect(try former(of: "b", listed: ["b"]) == path("a"))
        #expect(try former(of: "b", listed: ["a", "b"]) == nil)
    }

    @Test func halfOfTheFilesTellADropAndFewerDoNot() throws {
        try fill("a")
        try record("a")
        try fill("b", 3)
        try fill("c", 2)

        #expect(try former(of: "b", listed: ["b"]) == path("a"))
        #expect(try former(of: "c", listed: ["c"]) == nil)
    }

    @Test func filesOfOtherSizesAreOtherFiles() throws {
        try fill("a")
        try record("a")
        try fill("b", sizes: 500)

        #expect(try former(of: "b", listed: ["b"]) == nil)
    }

    /// The daemon makes folders that are listed and missing.
    @Test func dropThatIsStillListedHasToHaveLeftItsPath() throws {
        try fill("a")
        try record("a")
        try rename("a", to: "b")

        #expect(try former(of: "b", listed: ["a", "b"]) == path("a"))
        try FileManager.default.createDirectory(
            atPath: path("a"), withIntermediateDirectories: true)
        #expect(try former(of: "b", listed: ["a", "b"]) == path("a"))
    }

    /// A mirror is no move: while the share is away that it was copied from, it must not take its place.
    @Test func copyOfADropThatIsListedAndAwayIsAnotherDrop() throws {
        try fill("a")
        try record("a")
        try fill("b")
        try FileManager.default.removeItem(atPath: path("a"))

        #expect(try former(of: "b", listed: ["a", "b"]) == nil)
        #expect(try former(of: "b", listed: ["b"]) == path("a"))
    }

    @Test func amongSeveralTheSameFilesTellMoreThanEqualOnes() throws {
        try fill("copy")
        try record("copy")
        try fill("a")
        try record("a")
        try rename("a", to: "b")

        #expect(try former(of: "b", listed: ["b"]) == path("a"))
    }

    @Test func whatElseWasKnownUnderThePathIsNotMixedIn() throws {
        try fill("a")
        try record("a")
        try fill("b", sizes: 900)
        try record("b")
        try FileManager.default.removeItem(atPath: path("b"))
        try rename("a", to: "b")

        let moved = try #require(
            try library.store.formerDrop(of: path("b"), inode: inode("b"), listed: [path("b")]))
        try library.store.move(moved, inode: inode("b"))

        #expect(try files("b") == 6)
        #expect(try files("b (replaced 1)") == 6)
    }

    @Test func linksBelowADropAreNotFollowed() throws {
        try fill("a")
        try record("a")
        try FileManager.default.createDirectory(
            atPath: path("b"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: path("b/cats"), withDestinationPath: path("a/cats"))

        #expect(try former(of: "b", listed: ["b"]) == nil)
    }

    // MARK: Names

    @Test func nameSettlesEveryDoubt() throws {
        try fill("a")
        try record("a")
        let before = [DropFolder(path: path("a"), name: "art")]
        #expect(try library.store.settleNames(before).isEmpty)

        let after = [DropFolder(path: path("b"), name: "art")]
        let moved = try library.store.settleNames(after)

        #expect(moved.map(\.from) == [path("a")])
        #expect(try files("b") == 6)
        #expect(try library.store.settleNames(after).isEmpty)
    }

    @Test func namedDropsMayTakeEachOthersPaths() throws {
        try fill("a", 6)
        try fill("b", 4)
        try record("a")
        try record("b")
        let before = [
            DropFolder(path: path("a"), name: "six"), DropFolder(path: path("b"), name: "four"),
        ]
        _ = try library.store.settleNames(before)

        let after = [
            DropFolder(path: path("b"), name: "six"), DropFolder(path: path("a"), name: "four"),
        ]
        let moved = try library.store.settleNames(after)

        #expect(moved.count == 2)
        #expect(try files("b") == 6)
        #expect(try files("a") == 4)
    }

    // MARK: Outlook

    @Test func outlookTellsWhatAListWouldDo() throws {
        try fill("a")
        try record("a")
        try rename("a", to: "b")
        try fill("new", sizes: 300)

        let drops = ["b", "new", "away"].map { DropFolder(path: path($0)) }
        let outlook = try library.store.outlook(of: drops)

        #expect(
            outlook == [
                .moved(MovedDrop(from: path("a"), path: path("b"), stickers: 0)),
                .new(path: path("new")), .away(path: path("away")),
            ])
        #expect(try library.store.outlook(of: [DropFolder(path: path("a"))]).isEmpty)
    }
}
