import Foundation
import Glibc
import StickerPackFiles
import StickerPacks
import StickerSystem
import StickerTestSupport
import StickerValues
import Testing

/// Packs from the disk into a drop.
struct ImporterTests {
    private let folder: TemporaryFolder
    private let importer: Importer
    private let picture = TestPNG.file([TestPNG.header(8, 8)])

    init() throws {
        folder = try TemporaryFolder()
        importer = Importer(drop: try folder.makeFolder("drop"))
    }

    /// A folder with a title and so many pictures.
    private func pack(_ path: String, title: String = "Cats", pictures: Int = 3) throws {
        try folder.write(Array(title.utf8), to: "\(path)/title.txt")
        for number in 0..<pictures { try folder.write(picture, to: "\(path)/\(number).png") }
    }

    private func archive(_ items: [ArchiveItem], _ format: ArchiveFormat, _ path: String) throws {
        let file = try Descriptor(folder.path(path), O_WRONLY | O_CREAT, mode: 0o644)
        try ArchiveWriter.write(items, as: format, to: file, path: path)
    }

    private var items: [ArchiveItem] {
        [
            ArchiveItem("title.txt", .bytes(Array("Cats".utf8))),
            ArchiveItem("1.png", .bytes(picture)), ArchiveItem("2.png", .bytes(picture)),
        ]
    }

    private func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).sorted()
    }

    private func fault(_ body: () throws -> Void) throws -> ImportFault? {
        do { try body() } catch let fault as ImportFault { return fault }
        return nil
    }

    // MARK: Forms

    @Test func folderBecomesACategoryInOneStep() throws {
        try pack("source")

        let report = try importer.run(folder.path("source"))

        #expect(report.categories.map(\.folder) == ["Cats"] && report.leftOut.isEmpty)
        #expect(try names("drop") == ["Cats"])
        #expect(try names("drop/Cats") == ["0.png", "1.png", "2.png", "category.json"])
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.path("drop/Cats/0.png"))
        #expect(attributes[.posixPermissions] as? Int == 0o644)
    }

    @Test(arguments: [ArchiveFormat.zip, .tarGzip])
    func archiveIsReadLikeAFolder(format: ArchiveFormat) throws {
        try archive(
            items.map { ArchiveItem("cats/\($0.path)", $0.content) }, format, "cats.archive")

        let report = try importer.run(folder.path("cats.archive"))

        #expect(report.categories.map(\.stickers) == [2])
        #expect(try names("drop/Cats") == ["1.png", "2.png", "category.json"])
    }

    @Test func archivesOfStickerMakersAreReadWhereverTheyLie() throws {
        try archive(items, .zip, "cats.wastickers")
        let inner = try Data(contentsOf: URL(filePath: folder.path("cats.wastickers")))
        try folder.write(Array(inner), to: "folder/cats.wastickers")
        try archive([ArchiveItem("a/b.wastickers", .bytes(Array(inner)))], .zip, "outer.zip")

        for source in ["cats.wastickers", "folder", "outer.zip"] {
            let drop = try folder.makeFolder("drop of \(source)")
            let report = try Importer(drop: drop).run(folder.path(source))
            #expect(report.categories.map(\.stickers) == [2], "\(source)")
            #expect(report.leftOut.isEmpty)
        }
    }

    @Test func packWithoutATitleHasTheNameOfItsFolderUnlessThatIsOneOfAForm() throws {
        for number in 1...2 { try folder.write(picture, to: "cats/slack/folder/\(number).png") }
        try folder.makeFolder("cats/dogs")
        try archive(Array(items.dropFirst()), .zip, "cats/dogs/folder.zip")

        let fromFolder = try importer.run(folder.path("cats/slack/folder"))
        let fromArchive = try importer.run(folder.path("cats/dogs/folder.zip"))

        #expect(fromFolder.categories.map(\.folder) == ["slack"])
        #expect(fromArchive.categories.map(\.folder) == ["dogs"])
    }

    // MARK: What is there

    @Test func categoryThatIsThereIsNotTouched() throws {
        try pack("source")
        for name in ["Cats", "CATS"] {
            try folder.write([1], to: "drop/\(name)/0.png")

            let report = try importer.run(folder.path("source"))

            #expect(report.categories.isEmpty)
            #expect(report.leftOut.map(\.rule) == [.categoryExists])
            #expect(report.leftOut.first?.measured == name)
            #expect(try names("drop/\(name)") == ["0.png"])
            try FileManager.default.removeItem(atPath: folder.path("drop/\(name)"))
        }
    }

    @Test func nameOfTheCategoryMayBeGiven() throws {
        try pack("source")
        #expect(
            try importer.run(folder.path("source"), as: "Dogs").categories.map(\.folder) == ["Dogs"]
        )
    }

    @Test(arguments: ["../x", "/etc", ".x", "a/b", "", "x.part", "a\u{1B}", "lost+found"])
    func badNameOfACategoryIsRefused(name: String) throws {
        try pack("source")
        let fault = try fault { _ = try importer.run(folder.path("source"), as: name) }
        #expect(fault?.rule == .badName)
        #expect(try names("drop") == [])
    }

    @Test func oneNameForSeveralPacksIsRefused() throws {
        try pack("source/a", title: "A")
        try pack("source/b", title: "B")
        let fault = try fault { _ = try importer.run(folder.path("source"), as: "Dogs") }
        #expect(fault?.rule == .severalPacks)
        #expect(try names("drop") == [])
    }

    // MARK: Hostile folders

    @Test func noLinkIsFollowed() throws {
        try pack("source", pictures: 1)
        try folder.write(picture, to: "elsewhere/secret.png")
        let source = folder.path("source")
        symlink(folder.path("elsewhere/secret.png"), "\(source)/link.png")
        symlink(folder.path("elsewhere"), "\(source)/folder")
        symlink(folder.path("elsewhere"), "\(source)/folder.png")
        mkfifo("\(source)/pipe.png", 0o644)
        try folder.write(Array("{}".utf8), to: "elsewhere/emoji.txt")
        symlink(folder.path("elsewhere/emoji.txt"), "\(source)/emoji.txt")

        let report = try importer.run(source)

        #expect(try names("drop/Cats") == ["0.png", "category.json"])
        #expect(report.leftOut.map(\.rule) == Array(repeating: .notRegularFile, count: 4))
    }

    @Test func hiddenFilesAndLitterAreLeftAlone() throws {
        try pack("source", pictures: 1)
        for name in [
            ".DS_Store", "._0.png", "__MACOSX/0.png", ".git/x.png", "Thumbs.db", "x.png.part",
        ] {
            try folder.write(picture, to: "source/\(name)")
        }
        let report = try importer.run(folder.path("source"))
        #expect(report.leftOut.isEmpty)
        #expect(try names("drop/Cats") == ["0.png", "category.json"])
    }

    @Test func namesThatAreNoTextAreLeftOut() throws {
        try pack("source", pictures: 1)
        try folder.write(
            picture, toName: Array("source/".utf8) + [0xFF, 0xFE] + Array(".png".utf8))
        let report = try importer.run(folder.path("source"))
        #expect(report.leftOut.map(\.rule) == [.badName])
    }

    @Test func tooManyFilesAreNotListed() throws {
        try pack("source", pictures: 30)
        var limits = ImportLimits()
        limits.filesMax = 20
        let importer = Importer(drop: folder.path("drop"), limits: limits)
        let fault = try fault { _ = try importer.run(folder.path("source")) }
        #expect(fault?.rule == .tooMany && fault?.limit == "20")
        #expect(try names("drop") == [])
    }

    @Test func pictureThatIsTooLargeIsNotRead() throws {
        try pack("source", pictures: 1)
        let path = try folder.write(picture, to: "source/large.png")
        truncate(path, 1 << 40)
        let report = try importer.run(folder.path("source"))
        #expect(report.leftOut.map(\.rule) == [.tooManyBytes])
        #expect(try names("drop/Cats") == ["0.png", "category.json"])
    }

    @Test func nothingKnownIsRefusedWithWhatIsKnown() throws {
        try folder.write([1], to: "source/readme.md")
        let fault = try fault { _ = try importer.run(folder.path("source")) }
        #expect(fault?.rule == .noPack)
        #expect(
            try self.fault { _ = try importer.run(folder.path("nothing")) }?.rule == .unreadable)
        #expect(
            try self.fault { _ = try importer.run(folder.path("source/readme.md")) }?.rule
                == .noPack)
    }

    // MARK: Hostile archives

    /// Forbidden contents of a ZIP, packed by another program.
    @Test(arguments: [
        ("../evil.png", "bad-name"), ("/tmp/evil.png", "bad-name"), ("a\\evil.png", "bad-name"),
        (String(repeating: "d/", count: 40) + "x.png", "deep-path"),
        (String(repeating: "n", count: 2000) + ".png", "long-path"),
        ("TITLE.TXT", "duplicate-name"),
    ])
    func archiveWithAHostileNameIsRefusedWhole(name: String, rule: String) throws {
        try zip(["title.txt": Array("Cats".utf8), name: picture], "evil.zip")

        let fault = try fault { _ = try importer.run(folder.path("evil.zip")) }

        #expect(fault?.rule.rawValue == rule, "\(String(describing: fault))")
        #expect(try names("drop") == [] && !names("").contains("evil.png"))
    }

    @Test func bombsAreNotUnpacked() throws {
        try zip(
            ["title.txt": Array("Cats".utf8), "a.png": Array(repeating: 0, count: 40 << 20)],
            "bomb.zip")
        let fault = try fault { _ = try importer.run(folder.path("bomb.zip")) }
        #expect(fault?.rule == "bomb")
    }

    @Test func archiveWithALinkIsRefusedWhole() throws {
        try folder.makeFolder("packed")
        symlink("/etc/passwd", folder.path("packed/a.png"))
        let tar = try Process.run(
            URL(filePath: "/usr/bin/tar"),
            arguments: ["-czf", folder.path("link.tar.gz"), "-C", folder.path("packed"), "."])
        tar.waitUntilExit()
        let fault = try fault { _ = try importer.run(folder.path("link.tar.gz")) }
        #expect(fault?.rule == .notRegularFile)
    }

    @Test func damagedArchiveAmongOthersIsLeftOut() throws {
        try archive(items, .zip, "source.zip")
        let whole = try Array(Data(contentsOf: URL(filePath: folder.path("source.zip"))))
        try folder.write(whole, to: "source/a.wastickers")
        try folder.write(Array(whole.dropLast(30)), to: "source/b.wastickers")

        let report = try importer.run(folder.path("source"))

        #expect(report.categories.map(\.stickers) == [2])
        #expect(report.leftOut.map(\.rule.rawValue) == ["damaged"])
    }

    /// Python's writer takes any name.
    private func zip(_ files: [String: [UInt8]], _ path: String) throws {
        var script = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1], 'w', 8)\n"
        for (index, file) in files.sorted(by: { $0.key > $1.key }).enumerated() {
            let content = try folder.write(file.value, to: "content/\(index)")
            let name = String(decoding: try JSONEncoder().encode(file.key), as: UTF8.self)
                .replacing("\\/", with: "/")
            script += "i = zipfile.ZipInfo(\(name))\ni.filename = \(name)\ni.compress_type = 8\n"
            script += "z.writestr(i, open('\(content)', 'rb').read())\n"
        }
        script += "z.close()\n"
        let python = try Process.run(
            URL(filePath: "/usr/bin/python3"), arguments: ["-c", script, folder.path(path)])
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
    }
}
