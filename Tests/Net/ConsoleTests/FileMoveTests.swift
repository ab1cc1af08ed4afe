import Foundation
import StickerHTTP
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerConsole

/// Files that people rename, move and remove in the console: nothing is replaced, nothing is lost.
struct FileMoveTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Array("cat".utf8), to: "drop/cats/a.png")
        try folder.write(Array(#"{"title":"Tom"}"#.utf8), to: "drop/cats/a.png.sticker.json")
        try folder.write(Array("dog".utf8), to: "drop/dogs/b.png")
    }

    private func key(_ path: String, drop: String = "drop") -> SourceKey {
        var parts = path.split(separator: "/").map { Array($0.utf8) }
        let name = parts.popLast() ?? []
        return SourceKey(
            drop: folder.path(drop), directory: Array(parts.joined(separator: [UInt8(ascii: "/")])),
            name: name)
    }

    private func move(_ from: String, _ to: String) throws {
        try FileMove(from: key(from), to: key(to)).carryOut()
    }

    private var files: [String: String] {
        var found: [String: String] = [:]
        let root = folder.path("drop")
        for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            found[path] = try? String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
        }
        return found
    }

    @Test(arguments: ["cats/z.png", "dogs/a.png", "new/deep/a.png"])
    func wordsGoWithTheirPicture(target: String) throws {
        try move("cats/a.png", target)

        #expect(
            files == [
                target: "cat", "\(target).sticker.json": #"{"title":"Tom"}"#, "dogs/b.png": "dog",
            ])
        try move(target, "cats/a.png")
        #expect(files["cats/a.png"] == "cat" && files["cats/a.png.sticker.json"] != nil)
    }

    @Test(arguments: ["cats/c.png", "cats/c.png.sticker.json"], [true, false])
    func takenNameIsNotTakenAway(taken: String, hasWords: Bool) throws {
        if !hasWords {
            try FileManager.default.removeItem(
                atPath: folder.path("drop/cats/a.png.sticker.json"))
        }
        try folder.write(Array("theirs".utf8), to: "drop/\(taken)")
        let before = files

        let error = #expect(throws: WebError.self) { try move("cats/a.png", "cats/c.png") }

        #expect(error?.status == 409 && error?.message == "\(taken) is there already")
        #expect(files == before)
    }

    @Test func linksAreNotFollowed() throws {
        let outside = folder.path("outside")
        try FileManager.default.createDirectory(
            atPath: outside, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("drop/link"), withDestinationPath: outside)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("drop/.stickerd-removed"), withDestinationPath: outside)

        #expect(throws: WebError.self) { try move("cats/a.png", "link/a.png") }
        #expect(throws: WebError.self) {
            try RemovedFiles.removal(of: key("cats/a.png")).carryOut()
        }

        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
        #expect(files["cats/a.png"] == "cat")
    }

    @Test func fileThatIsGoneOrInAnotherDropIsNotMoved() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("other"), withIntermediateDirectories: true)

        let gone = #expect(throws: WebError.self) { try move("cats/none.png", "cats/c.png") }
        let other = #expect(throws: WebError.self) {
            try FileMove(from: key("cats/a.png"), to: key("a.png", drop: "other")).carryOut()
        }

        #expect(gone?.message == "cats/none.png is gone")
        #expect(other?.message.contains("another drop") == true)
        #expect(files["cats/a.png"] == "cat")
    }

    @Test func removedFileIsListedAndPutBack() throws {
        let removed = RemovedFiles(drops: [folder.path("drop")], days: 30)
        #expect(removed.list(limit: 10).isEmpty)

        try RemovedFiles.removal(of: key("cats/a.png")).carryOut()
        try RemovedFiles.removal(of: key("dogs/b.png")).carryOut()

        let list = removed.list(limit: 10)
        #expect(Set(list.map(\.back.to.display)) == ["cats/a.png", "dogs/b.png"])
        #expect(
            list.allSatisfy {
                FileKind.isIgnoredName(Array(".stickerd-removed".utf8))
                    && $0.place.contains("/.stickerd-removed/")
            })
        #expect(files["cats/a.png"] == nil)
        for file in list { try file.back.carryOut() }
        #expect(files["cats/a.png"] == "cat" && files["dogs/b.png"] == "dog")
        #expect(files["cats/a.png.sticker.json"] == #"{"title":"Tom"}"#)
        #expect(removed.list(limit: 10).isEmpty)
    }

    @Test func wayBackIsForTheSamePictureAlone() throws {
        let back = try FileMove(from: key("cats/a.png"), to: key("cats/c.png")).carryOut()
        try FileManager.default.removeItem(atPath: folder.path("drop/cats/c.png"))
        try folder.write(Array("theirs".utf8), to: "drop/cats/c.png")

        let error = #expect(throws: WebError.self) { try back.carryOut() }

        #expect(error?.message == "cats/c.png is another picture by now")
        #expect(files["cats/c.png"] == "theirs" && files["cats/a.png"] == nil)
    }

    /// A picture that is removed again is kept as long as any.
    @Test func putBackFileLeavesNoFolderAndIsRemovedAsIfForTheFirstTime() throws {
        let back = try RemovedFiles.removal(of: key("cats/a.png")).carryOut()
        let place = back.from.display

        let again = try back.carryOut()

        #expect(!files.keys.contains { $0.contains("-") })
        try again.carryOut()
        let kept = try #require(
            RemovedFiles(drops: [folder.path("drop")], days: 1).list(limit: 1).first)
        #expect(kept.back.from.display != place && kept.back.to == key("cats/a.png"))
    }

    @Test(arguments: [
        "", "/etc/passwd", "cats/a.png", ".stickerd-removed/cats/a.png",
        ".stickerd-removed/1-1/../../cats/a.png", ".stickerd-removed/x/cats/a.png",
        ".stickerd-removed/1-1/notes.txt",
    ])
    func onlyRemovedPicturesArePutBack(place: String) {
        let removed = RemovedFiles(drops: [folder.path("drop")], days: 1)

        #expect(
            removed.file(at: place.hasPrefix("/") ? place : "\(folder.path("drop"))/\(place)")
                == nil)
    }

    @Test func sweepFollowsNoLink() throws {
        let outside = folder.path("outside")
        try folder.write([1], to: "outside/1000-1/mine.png")
        try folder.write([1], to: "drop/.stickerd-removed/1000-1/cats/old.png")
        for link in ["drop/.stickerd-removed/1000-1/link", "drop/.stickerd-removed/1000-2"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path(link), withDestinationPath: outside)
        }
        let removed = RemovedFiles(drops: [folder.path("drop")], days: 30)

        #expect(removed.list(limit: 10).map(\.back.to.display) == ["cats/old.png"])
        removed.sweep()

        #expect(removed.list(limit: 10).isEmpty)
        #expect(FileManager.default.fileExists(atPath: "\(outside)/1000-1/mine.png"))
        try FileManager.default.removeItem(atPath: folder.path("drop/.stickerd-removed"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("drop/.stickerd-removed"), withDestinationPath: outside)
        removed.sweep()
        #expect(FileManager.default.fileExists(atPath: "\(outside)/1000-1/mine.png"))
    }

    @Test func filesRemovedLongAgoAreDeletedAndNothingElse() throws {
        try RemovedFiles.removal(of: key("cats/a.png")).carryOut()
        try folder.write([1], to: "drop/.stickerd-removed/1000-1/cats/old.png")
        try folder.write([1], to: "drop/.stickerd-removed/notes/mine.png")

        RemovedFiles(drops: [folder.path("drop")], days: 30).sweep()

        #expect(files.keys.contains { $0.hasSuffix("cats/a.png") })
        #expect(!files.keys.contains { $0.hasSuffix("old.png") })
        #expect(files[".stickerd-removed/notes/mine.png"] != nil)
    }
}
