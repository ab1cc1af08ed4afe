import Foundation
import StickerTestSupport
import StickerValues
import Testing

/// Verbs about packs, before there are any.
struct PackVerbTests {
    private let desk: Operator

    init() throws {
        desk = try Operator()
        let cats = LibraryIndex.Category(
            identifier: CategoryID(rawValue: "cats"), title: "Cats",
            manifestURL: "cats/manifest.json")
        let index = LibraryIndex(generation: 1, categories: [cats])
        try desk.folder.write([UInt8](JSONEncoder().encode(index)), to: "out/index.json")
    }

    private static let verbs: [[String]] = [
        ["lint", "Cats"], ["export", "Cats", "--for", "whatsapp", "--to", "packs"],
        ["sheet", "Cats", "--to", "packs.png"],
    ]

    private func ask(_ arguments: [String]) throws -> Operator.Answer {
        try desk.ask(arguments, folder: desk.folder.path)
    }

    @Test(arguments: verbs)
    func unknownCategoryIsToldWithThoseThereAre(arguments: [String]) throws {
        let answer = try ask(arguments)

        #expect(answer.code == 1)
        #expect(
            answer.errors == "there is no published category Cats; name one of: cats\n")
    }

    @Test(arguments: verbs.dropFirst())
    func fileInTheWayIsToldWithTheWayOut(arguments: [String]) throws {
        try desk.folder.write([1], to: "file")
        let target = arguments[0] == "sheet" ? "file/packs.png" : "file/packs"

        let answer = try ask(Array(arguments.dropLast()) + [target])

        #expect(answer.code == 1)
        #expect(answer.errors.hasPrefix("\(desk.folder.path("file")): not-a-folder: "))
        #expect(answer.errors.hasSuffix("; remove it, or name another folder with --to\n"))
    }

    @Test(arguments: [
        ["--for", "all", "--as", "folder"], ["--for", "slack", "--skip-faulty"],
        ["--for", "everything"],
    ])
    func optionsThatDoNotGoTogetherAreWrongUsage(options: [String]) throws {
        let answer = try ask(["export", "cats", "--to", "packs"] + options)

        #expect(answer.code == 2)
        #expect(!FileManager.default.fileExists(atPath: desk.folder.path("packs")))
    }

    @Test func sheetInAFolderThatIsNotThereIsToldWithTheWayOut() throws {
        let answer = try ask(["sheet", "cats", "--to", "nowhere/cats.png"])

        #expect(answer.code == 1)
        #expect(answer.errors.contains("nowhere: no-folder: there is no such folder; make it"))
    }
}
