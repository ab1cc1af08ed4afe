import Foundation
import Glibc
import StickerPacks
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

@testable import StickerPackFiles

/// The folders of packs: written whole, kept while they are needed, removed afterwards.
struct PackShelfTests {
    /// A platform whose packs are one text.
    private struct Notes: PackMaking {
        let platform = PackPlatform.slack
        let rules = PartRules()
        let forms = ["text"]
        let formsOfLibrary = ["app"]
        var text: String

        func lint(_ pack: Pack, _ target: Target?) -> [Finding] { [] }
        func files(of packs: [Pack], as form: String) -> [PackFile] {
            packs.map { PackFile("\($0.identifier).txt", text: text) }
        }
        func findings(in form: String, file: (String) -> [UInt8]?) -> [Finding] {
            text.contains("wrong") ? [Finding("wrong", .fault, "it is wrong", remedy: "none")] : []
        }
    }

    private let folder: TemporaryFolder
    private let shelf: PackShelf
    private let cats = CategoryID(rawValue: "cats")
    private var place: String { folder.path("_packs/slack/cats") }

    init() throws {
        folder = try TemporaryFolder()
        shelf = PackShelf(out: folder.path)
    }

    private var bundle: PackBundle {
        let source = PackSource(category: cats, title: "Cats", stickers: [])
        let part = Part(kind: .all, number: 1, stickers: [])
        let pack = Pack(part, of: source, for: Notes(text: ""))
        let remembered = RememberedPart(part, pack: pack, digest: "d", version: 1)
        return PackBundle(parts: [PublishedPacks.Part(remembered, of: cats)], packs: [pack])
    }

    private func publish(_ text: String) throws -> Bool {
        try shelf.publish(bundle, for: Notes(text: text), cats)
    }

    private var folders: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: place)
                .filter { $0 != "current.json" }.sorted()
        }
    }

    @Test func nothingIsMadeInPlaceOfAnOutThatIsAway() throws {
        let out = folder.path("away")

        #expect(throws: (any Error).self) {
            try PackShelf(out: out).publish(bundle, for: Notes(text: "one"), cats)
        }

        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test func contentNamesTheFolder() throws {
        #expect(try publish("one"))
        let one = try #require(shelf.current(.slack, cats)?.folder)
        #expect(try !publish("one"))
        #expect(try publish("two"))
        #expect(try publish("one"))
        #expect(shelf.current(.slack, cats)?.folder == one)
        #expect(try folders.count == 2)
        let text = try String(contentsOfFile: "\(place)/\(one)/text/cats.txt", encoding: .utf8)
        #expect(text == "one")
    }

    /// A platform with a form of each kind.
    private struct Forms: PackMaking {
        let platform = PackPlatform.signal
        let rules = PartRules()
        let forms = ["folder", "lists", "many"]

        func lint(_ pack: Pack, _ target: Target?) -> [Finding] { [] }
        func files(of packs: [Pack], as form: String) -> [PackFile] {
            switch form {
            case "folder":
                [PackFile("cats/title.txt", text: "Cats"), PackFile("list.json", text: "[]")]
            case "lists": [PackFile("a.json", text: "a"), PackFile("b.json", text: "bb")]
            default: (0..<20).map { PackFile("\($0).json", text: "\($0)") }
            }
        }
    }

    @Test func packsAreDownloadedAsOneFileWhateverTheirForm() throws {
        #expect(shelf.downloads(.signal, cats).isEmpty)
        _ = try shelf.publish(bundle, for: Forms(), cats)

        let downloads = shelf.downloads(.signal, cats)

        #expect(
            downloads.map(\.name) == [
                "cats-signal.zip", "a.json", "b.json", "cats-signal-many.zip",
            ])
        #expect(downloads.map(\.bytes) == [6, 1, 2, 30])
        #expect(shelf.downloads(.signal, CategoryID(rawValue: "dogs")).isEmpty)
        let list = try String(
            contentsOfFile: folder.path(try #require(downloads[2].place)), encoding: .utf8)
        #expect(list == "bb")
        let zip = folder.path("written.zip")
        try shelf.write(downloads[0], to: Descriptor(zip, O_RDWR | O_CREAT, mode: 0o600), path: zip)
        let entries = try OtherPrograms.read(zip)
        #expect(entries.map(\.name) == ["cats/title.txt", "list.json"])
        #expect(entries[0].sha256 == ContentHash(of: Array("Cats".utf8)).rawValue)
    }

    @Test func bundleOfTheLibraryIsDownloadedFromEachOfItsCategories() throws {
        _ = try shelf.publish(bundle, for: Notes(text: "one"), nil)

        #expect(shelf.downloads(.slack, cats).map(\.name) == ["cats.txt"])
        #expect(shelf.downloads(.slack, CategoryID(rawValue: "dogs")).isEmpty)
    }

    @Test func whatThePlatformWouldRefuseIsNotHandedOver() throws {
        #expect(try publish("right"))
        let before = shelf.current(.slack, cats)
        #expect(throws: PackError.self) { try publish("wrong") }
        #expect(shelf.current(.slack, cats) == before)
        #expect(try folders == [before?.folder])
    }

    @Test func replacedFoldersStayForAWhile() throws {
        _ = try publish("one")
        _ = try publish("two")
        try FileManager.default.createDirectory(
            atPath: "\(place)/.new-4711/text", withIntermediateDirectories: true)
        #expect(shelf.clean(olderThan: 3600) == 0)
        for name in try folders {
            var times = [timespec(), timespec()]
            for index in times.indices { times[index].tv_sec = time(nil) - 7200 }
            #expect(utimensat(AT_FDCWD, "\(place)/\(name)", times, 0) == 0)
        }
        #expect(shelf.clean(olderThan: 3600) == 2)
        #expect(try folders == [shelf.current(.slack, cats)?.folder])
    }

    @Test func packsOfTheLibraryThatAreWithdrawnAreRemovedLater() throws {
        _ = try publish("one")
        #expect(try shelf.publish(bundle, for: Notes(text: "one"), nil))
        let name = try #require(shelf.current(.slack, nil)?.folder)
        let path = folder.path("_packs/slack/\(name)/app/cats.txt")
        #expect(FileManager.default.fileExists(atPath: path))

        try shelf.withdraw(.slack, nil)

        #expect(shelf.clean(olderThan: 3600) == 0)
        #expect(shelf.clean(olderThan: -1) == 1)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(shelf.damage(.slack, cats) == [])
    }

    @Test func nothingIsRemovedWhereTheListCannotBeRead() throws {
        _ = try publish("one")
        _ = try publish("two")
        try Data("{".utf8).write(to: URL(filePath: "\(place)/current.json"))
        #expect(shelf.clean(olderThan: -1) == 0)
        #expect(try folders.count == 2)
        // And the next publication mends it.
        #expect(try publish("two"))
        #expect(shelf.current(.slack, cats) != nil)
    }

    @Test func folderThatWasRemovedIsWrittenAgain() throws {
        _ = try publish("one")
        let name = try #require(shelf.current(.slack, cats)?.folder)
        try FileManager.default.removeItem(atPath: "\(place)/\(name)")
        _ = try publish("one")
        #expect(try folders == [name])
    }

    /// The ways in which a file of a pack is damaged.
    enum Harm: CaseIterable {
        case removed, cut, changed, replaced, linked
    }

    @Test(arguments: Harm.allCases) func damagedFileIsFoundAndMended(_ harm: Harm) throws {
        _ = try publish("one")
        let name = try #require(shelf.current(.slack, cats)?.folder)
        let file = "\(place)/\(name)/text/cats.txt"
        #expect(shelf.damage(.slack, cats).isEmpty)
        try inflict(harm, on: file)

        let damage = shelf.damage(.slack, cats)
        #expect(damage.map(\.path) == ["_packs/slack/cats/\(name)/text/cats.txt"])
        #expect(damage.first?.finding.limit != nil && damage.first?.finding.measured != nil)

        #expect(try publish("one"))
        #expect(shelf.damage(.slack, cats).isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "one")
        #expect(try folders == [name])
        #expect(try !publish("one"))
    }

    @Test func fileThatNobodyPublishedIsFoundAndRemoved() throws {
        _ = try publish("one")
        let name = try #require(shelf.current(.slack, cats)?.folder)
        try FileManager.default.createDirectory(
            atPath: "\(place)/\(name)/mine", withIntermediateDirectories: false)
        for extra in ["mine/notes.txt", "text/link", "text/.DS_Store"] {
            #expect(symlink("/etc/hostname", "\(place)/\(name)/\(extra)") == 0)
        }

        let damage = shelf.damage(.slack, cats)

        #expect(damage.map(\.path).map { $0.split(separator: "/").last } == ["notes.txt", "link"])
        #expect(damage.first?.remedy == "a running stickerd removes it within the hour")
        #expect(try publish("one"))
        #expect(shelf.damage(.slack, cats) == [])
        #expect(!FileManager.default.fileExists(atPath: "\(place)/\(name)/mine"))
    }

    private func inflict(_ harm: Harm, on file: String) throws {
        // As if the list were older than the damage, whatever the clock of the file system counts.
        var times = [timespec(), timespec()]
        for index in times.indices { times[index].tv_sec = time(nil) - 60 }
        #expect(utimensat(AT_FDCWD, "\(place)/current.json", times, 0) == 0)
        switch harm {
        case .removed: try FileManager.default.removeItem(atPath: file)
        case .cut: #expect(truncate(file, 1) == 0)
        case .changed: try Data("two".utf8).write(to: URL(filePath: file))
        case .replaced:
            let other = folder.path("other")
            try Data("six".utf8).write(to: URL(filePath: other))
            #expect(utimensat(AT_FDCWD, other, times, 0) == 0)
            #expect(rename(other, file) == 0)
        case .linked:
            try FileManager.default.removeItem(atPath: file)
            #expect(symlink("/etc/hostname", file) == 0)
        }
    }

    @Test func listOfAnEarlierReleaseIsCompleted() throws {
        _ = try publish("one")
        let path = "\(place)/current.json"
        let list = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
        var old = try #require(list as? [String: Any])
        old["files"] = nil
        try JSONSerialization.data(withJSONObject: old).write(to: URL(filePath: path))
        #expect(shelf.damage(.slack, cats).isEmpty)
        #expect(try publish("one"))
        #expect(shelf.current(.slack, cats)?.files?.map(\.path) == ["text/cats.txt"])
    }

    @Test func listWithoutPacksNamesNoFiles() throws {
        _ = try publish("one")
        let empty = PackBundle(parts: bundle.parts, packs: [])
        #expect(try shelf.publish(empty, for: Notes(text: "one"), cats))
        let list = try #require(shelf.current(.slack, cats))
        #expect(list.folder == nil && list.files == nil)
    }

    @Test func withdrawnPacksStayForAWhile() throws {
        _ = try publish("one")
        try shelf.withdraw(.slack, cats)
        #expect(shelf.current(.slack, cats)?.folder == nil)
        #expect(shelf.current(.slack, cats)?.packs.map(\.version) == [1])
        #expect(try folders.count == 1 && shelf.clean(olderThan: 3600) == 0)
        #expect(shelf.clean(olderThan: -1) == 1)
    }
}
